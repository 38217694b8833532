import { timingSafeEqual } from "node:crypto";
import type { Issuer } from "../discovery/issuer.js";
import { AuthError, quoted } from "../door/problem.js";

/** What was written down before the browser was sent away. In memory only. */
export interface Sent {
  readonly issuer: Issuer;
  readonly clientId: string;
  readonly state: string;
  readonly redirectUri: string;
}

/** The answer that came back: for another attempt, a failure of this one, or its code. */
export type Judged =
  | { readonly kind: "not-ours"; readonly message: string }
  | { readonly kind: "failed"; readonly error: AuthError }
  | { readonly kind: "code"; readonly code: string };

/**
 * Judges an address that a browser was sent to: place and state first (anything else leaves the attempt as it is), then
 * `iss` (RFC 9207), and only then an error or the code.
 */
export async function judgeCallback(address: string, sent: Sent): Promise<Judged> {
  const { issuer, clientId, state, redirectUri } = sent;
  if (address.length > 16_384 || !URL.canParse(address))
    return notOurs("that is not the address the browser ended at");
  const url = new URL(address);
  const expected = new URL(redirectUri);
  if (url.origin !== expected.origin || url.pathname !== expected.pathname)
    return notOurs(`that address does not begin with ${redirectUri}`);
  const states = url.searchParams.getAll("state");
  if (states.length !== 1 || !isSame(states[0]!, state))
    return notOurs("it belongs to another attempt (state): use the page of the newest one");
  const lib = await import("oauth4webapi");
  const as = {
    issuer: issuer.issuer,
    ...(issuer.sendsIss && { authorization_response_iss_parameter_supported: true }),
  };
  try {
    const answer = lib.validateAuthResponse(as, { client_id: clientId }, url.searchParams, state);
    const code = answer.get("code");
    if (code !== null && code !== "" && code.length <= 8192) return { kind: "code", code };
    return failed(new AuthError("bad-callback", "the answer holds no code"));
  } catch (error) {
    if (error instanceof lib.AuthorizationResponseError)
      return failed(refusal(error.error, error.error_description));
    const isIss =
      url.searchParams.get("iss") !== issuer.issuer && (issuer.sendsIss || url.searchParams.has("iss"));
    return failed(
      isIss
        ? new AuthError(
            "iss-mismatch",
            `the answer does not come from ${issuer.issuer} (iss); it was not used`,
          )
        : new AuthError("bad-callback", "the answer is not one of OAuth (response_type code)"),
    );
  }
}

function refusal(error: string, description: string | undefined): AuthError {
  const code = /^[\w.:-]{1,80}$/.test(error) ? error : "an unreadable error";
  const says = description === undefined ? "" : `: ${quoted(description)}`;
  return new AuthError("refused", `the authorization server refused (${code})${says}`, { oauthError: code });
}

/** In a time that says nothing about where they differ. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function notOurs(message: string): Judged {
  return { kind: "not-ours", message };
}

function failed(error: AuthError): Judged {
  return { kind: "failed", error };
}
