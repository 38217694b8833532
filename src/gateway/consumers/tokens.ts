import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Tells a consumer's token from others at a glance, and to secret scanners. */
const prefix = "mcpv_";

/** 256 random bits, shown once. */
export function newToken(): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** What is stored of a token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** In constant time whatever is given. */
export function isToken(given: string, hash: string): boolean {
  const a = Buffer.from(hashToken(given), "hex");
  const b = Buffer.from(hash, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}
