/** The words that allow; every reader of a verdict asks for these, so that whatever else is said denies. */
const allowing = ["allow", "allow-for-session", "allow-for-good"] as const;
type Allowing = (typeof allowing)[number];

/** Whether a verdict allows: exactly one of the three words. */
export function allows(decision: unknown): decision is Allowing {
  return allowing.some((each) => each === decision);
}

/**
 * What somebody said, as one of the words that the question knows: a call cannot be allowed for good, and everything
 * that is no allowing word (other spellings, booleans, nothing) is `deny`.
 */
export function decisionOf(said: unknown, kind: "call" | "server"): Allowing | "deny" {
  return allows(said) && !(kind === "call" && said === "allow-for-good") ? said : "deny";
}
