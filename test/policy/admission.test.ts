import { describe, expect, it } from "vitest";
import { admit } from "../../src/policy/admission.js";

const limits = { inFlight: 16, queued: 256 };

describe("admission", () => {
  it.each([
    [true, 0, 0, "go"],
    [true, 15, 0, "go"],
    [true, 16, 0, "queue"],
    [true, 16, 255, "queue"],
    [true, 16, 256, "overloaded"],
    [true, 0, 1, "queue"],
    [false, 0, 0, "queue"],
    [false, 0, 256, "overloaded"],
  ] as const)("with ready %j, %i in flight and %i queued: %s", (ready, inFlight, queued, admission) => {
    expect(admit({ ready, inFlight, queued }, limits)).toBe(admission);
  });

  it("refuses at once with a queue of no places", () => {
    expect(admit({ ready: true, inFlight: 1, queued: 0 }, { inFlight: 1, queued: 0 })).toBe("overloaded");
  });
});
