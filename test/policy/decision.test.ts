import { describe, expect, it } from "vitest";
import { allows, decisionOf } from "../../src/policy/decision.js";

describe("what somebody said", () => {
  it.each(["allow", "allow-for-session", "allow-for-good"])(
    "allows in exactly one of three words: %s",
    (word) => {
      expect([allows(word), decisionOf(word, "server")]).toEqual([true, word]);
      expect(decisionOf(word, "call")).toBe(word === "allow-for-good" ? "deny" : word);
    },
  );

  it.each([
    undefined,
    null,
    true,
    1,
    "",
    "yes",
    "Allow",
    " allow",
    "allowed",
    "deny",
    ["allow"],
    { decision: "allow" },
  ])("denies whatever else it is: %j", (said) => {
    expect([allows(said), decisionOf(said, "call"), decisionOf(said, "server")]).toEqual([
      false,
      "deny",
      "deny",
    ]);
  });
});
