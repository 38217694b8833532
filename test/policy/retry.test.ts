import { describe, expect, it } from "vitest";
import { mayRetry } from "../../src/policy/retry.js";
import type { RetryQuestion } from "../../src/policy/retry.js";

const first: RetryQuestion = { sent: "no", annotations: {}, trusted: false, retry: "never", attempts: 1 };

describe("a second attempt of ours", () => {
  it("is made for a call that never left, whatever the tool", () => {
    expect(mayRetry(first)).toBe(true);
    expect(mayRetry({ ...first, annotations: { destructiveHint: true } })).toBe(true);
  });

  it("is never followed by a third", () => {
    expect(mayRetry({ ...first, attempts: 2 })).toBe(false);
  });

  const safe: RetryQuestion = {
    sent: "unknown",
    annotations: { readOnlyHint: true },
    trusted: true,
    retry: "safe",
    attempts: 1,
  };

  it.each([
    [{}, true],
    [{ sent: "yes" }, true],
    [{ annotations: { idempotentHint: true } }, true],
    [{ annotations: { readOnlyHint: false, idempotentHint: false } }, false],
    [{ annotations: { readOnlyHint: "true" } }, false],
    [{ annotations: { destructiveHint: false } }, false],
    [{ annotations: undefined }, false],
    [{ trusted: false }, false],
    [{ retry: "never" }, false],
    [{ attempts: 2 }, false],
  ])("of a call that may have run is made only for safe tools of trusted servers: %j is %j", (more, may) => {
    expect(mayRetry({ ...safe, ...more } as RetryQuestion)).toBe(may);
  });
});
