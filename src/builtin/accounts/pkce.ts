import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What one authorization attempt has to remember. */
export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
  readonly state: string;
}

/** A fresh verifier with its S256 challenge (RFC 7636 section 4) and a state nobody can guess. */
export function createProof(): Proof {
  const verifier = randomBytes(48).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge, state: randomBytes(24).toString("base64url") };
}

/** Compares secrets in constant time. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
