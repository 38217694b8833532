import { checkedBody, type TokenSet } from "../door/answer.js";
import { checkedUrl } from "../door/address.js";
import { type Counter, requestTokens, through } from "./grants.js";
import { requiredText, textAt } from "../door/json.js";
import { pause } from "../door/pause.js";
import { AuthError } from "../door/problem.js";

/** What a person needs to log in on another device (RFC 8628). */
export interface DeviceCode {
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export interface DeviceInput {
  readonly counter: Counter;
  readonly scopes: readonly string[];
  readonly resource?: string | undefined;
  readonly learn: (secret: string | undefined) => void;
  readonly show: (code: DeviceCode) => void;
}

const askMs = 20_000;
const longestMs = 15 * 60_000;
const slowerMs = 5000;

/** Logs in by a code that is typed in elsewhere: asks for the code, shows it, and polls until somebody has decided. */
export async function loginByDevice({
  counter,
  scopes,
  resource,
  learn,
  show,
}: DeviceInput): Promise<TokenSet> {
  const { clock, signal, issuer } = counter;
  if (issuer.deviceEndpoint === undefined)
    throw new AuthError(
      "unsupported",
      `${issuer.issuer} has no device flow; log in with a browser or --paste`,
    );
  const what = "the device authorization endpoint";
  const parameters = {
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...(resource !== undefined && { resource }),
  };
  const answer = await through(counter, what, askMs, (lib, as, auth, options) =>
    lib.deviceAuthorizationRequest(as, as.client, auth, parameters, options),
  );
  const now = clock.now();
  const body = checkedBody(answer, now, what);
  const deviceCode = requiredText(body, "device_code", what);
  learn(deviceCode);
  const verificationUri = requiredText(body, "verification_uri", what);
  checkedUrl(verificationUri, `${what}: verification_uri`);
  const complete = textAt(body, "verification_uri_complete", what);
  if (complete !== undefined) checkedUrl(complete, `${what}: verification_uri_complete`);
  const expiresAt = now + Math.min(secondsAt(body["expires_in"], 600) * 1000, longestMs);
  show({
    userCode: requiredText(body, "user_code", what),
    verificationUri,
    expiresAt,
    ...(complete !== undefined && { verificationUriComplete: complete }),
  });
  let intervalMs = secondsAt(body["interval"], 5) * 1000;
  for (;;) {
    await pause(clock, intervalMs, signal);
    if (clock.now() >= expiresAt) throw new AuthError("timeout", "nobody entered the code in time");
    try {
      return await requestTokens(counter, "urn:ietf:params:oauth:grant-type:device_code", {
        device_code: deviceCode,
        resource,
      });
    } catch (error) {
      intervalMs = nextInterval(error, intervalMs);
    }
  }
}

/** The wait before the next look, or the error when it is over (RFC 8628, 3.5). */
function nextInterval(error: unknown, intervalMs: number): number {
  if (!(error instanceof AuthError)) throw error;
  if (error.oauthError === "authorization_pending") return intervalMs;
  if (error.oauthError === "slow_down") return intervalMs + slowerMs;
  if (error.oauthError === "expired_token")
    throw new AuthError("timeout", "nobody entered the code in time", { cause: error });
  // A line that breaks is no refusal; RFC 8628 asks for a longer wait.
  if (error.failure === "unreachable") return Math.min(intervalMs * 2, 60_000);
  throw error;
}

function secondsAt(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.min(value, 3600) : otherwise;
}
