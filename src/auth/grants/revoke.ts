import { type Counter, through } from "./grants.js";
import { AuthError } from "../door/problem.js";
import type { Grant } from "./record.js";

export type Revoked = "yes" | "no" | "unsupported";

const revokeMs = 10_000;

/** Gives a grant back (RFC 7009): the refresh token first, as most servers end all of the grant with it. */
export async function revokeGrant(counter: Counter, grant: Grant): Promise<Revoked> {
  if (counter.issuer.revocationEndpoint === undefined) return "unsupported";
  const results: Revoked[] = [];
  if (grant.refreshToken !== undefined)
    results.push(await revoke(counter, grant.refreshToken, "refresh_token"));
  results.push(await revoke(counter, grant.accessToken, "access_token"));
  // With the refresh token gone nothing new can be got; the access token ends by itself.
  return results[0] ?? "no";
}

async function revoke(counter: Counter, token: string, hint: string): Promise<Revoked> {
  try {
    const { status, text } = await through(
      counter,
      "the revocation endpoint",
      revokeMs,
      (lib, as, auth, options) =>
        lib.revocationRequest(as, as.client, auth, token, {
          ...options,
          additionalParameters: { token_type_hint: hint },
        }),
    );
    if (status >= 200 && status < 300) return "yes";
    return status === 400 && text.includes("unsupported_token_type") ? "unsupported" : "no";
  } catch (error) {
    if (error instanceof AuthError) return "no";
    throw error;
  }
}
