import type { Answer } from "./ask.js";
import { isObject, type JsonObject, objectOf } from "./json.js";
import { AuthError, quoted } from "./problem.js";

/** A token answer (RFC 6749, 5.1), in one form whatever the server made of it. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly tokenType: "Bearer" | "DPoP";
  /** Granted scopes; undefined means as requested. */
  readonly scope?: string;
  /** Seconds from `obtainedAt`; undefined is unknown, not for ever. */
  readonly expiresIn?: number;
  /** Epoch ms. */
  readonly obtainedAt: number;
}

/** Longer lives than ten years are no statement. */
const longestSeconds = 10 * 365 * 24 * 3600;

/** Error codes that pass (RFC 6749, 4.1.2.1 and vendors): nothing that is stored is given up for them. */
const passing = new Set(["temporarily_unavailable", "server_error", "rate_limited", "ratelimited"]);

/**
 * Reads the answer of a token endpoint, form-encoded and errors with status 200 included. AuthError `unreachable` for
 * what passes, `refused` with the OAuth code for what does not, `bad-answer` for the rest.
 */
export function readTokens(answer: Answer, now: number): TokenSet {
  const what = "the token endpoint";
  const body = checkedBody(answer, now, what);
  const accessToken = token(body, "access_token", what);
  if (accessToken === undefined) throw new AuthError("bad-answer", `${what}: access_token is missing`);
  const refreshToken = token(body, "refresh_token", what);
  const expiresIn = secondsOf(body["expires_in"]);
  return {
    accessToken,
    tokenType: typeOf(body["token_type"], what),
    obtainedAt: now,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(typeof body["scope"] === "string" && { scope: body["scope"].slice(0, 8192) }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
}

/** The object of an OAuth answer that is no error; throws for one that is. */
export function checkedBody(answer: Answer, now: number, what: string): JsonObject {
  const { status } = answer;
  if (status >= 500 || status === 429 || status === 408) {
    const retryAfterMs = retryAfterOf(answer, now);
    throw new AuthError("unreachable", `${what} answered HTTP ${status}`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  const body = parse(answer, what);
  const error = errorOf(body);
  if (error !== undefined) {
    const says =
      typeof body["error_description"] === "string" ? `: ${quoted(body["error_description"])}` : "";
    const code = /^[\w.:/-]{1,80}$/.test(error) ? error : "an unreadable error";
    throw new AuthError(
      passing.has(code) ? "unreachable" : "refused",
      `${what} refused (${code})${says}`,
      passing.has(code) ? {} : { oauthError: code },
    );
  }
  if (status >= 300)
    throw new AuthError("bad-answer", `${what} answered HTTP ${status} without an error code`);
  return body;
}

/** Seconds of `expires_in`: a number, or a text of digits; undefined for what says nothing. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return undefined;
  return seconds < 0 || seconds > longestSeconds ? undefined : seconds;
}

/** Retry-After in milliseconds, as seconds or as a date. */
export function retryAfterOf({ headers }: Answer, now: number): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function parse(answer: Answer, what: string): JsonObject {
  const type = String(answer.headers["content-type"] ?? "");
  if (type.includes("x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(answer.text));
  try {
    return objectOf(answer, what);
  } catch (error) {
    // A refusal as a page is still a refusal, only one that says nothing.
    if (answer.status >= 400)
      throw new AuthError("bad-answer", `${what} answered HTTP ${answer.status} with no JSON`);
    throw error;
  }
}

function errorOf(body: JsonObject): string | undefined {
  const { error } = body;
  if (typeof error === "string" && error !== "") return error;
  if (isObject(error) && typeof error["code"] === "string") return error["code"];
  // Slack: 200 with ok:false.
  return body["ok"] === false ? "refused" : undefined;
}

function typeOf(value: unknown, what: string): TokenSet["tokenType"] {
  if (value === undefined || value === null || typeof value === "string") {
    const type = (value ?? "bearer").toLowerCase();
    if (type === "dpop") return "DPoP";
    // Vendors write "user", "bot" or "N_A" and mean bearer tokens; these others need signatures.
    if (!["mac", "pop", "hok"].includes(type)) return "Bearer";
  }
  throw new AuthError("bad-answer", `${what}: token_type ${quoted(value)} cannot be used`);
}

function token(body: JsonObject, field: string, what: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && value.length <= 65_536 && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new AuthError(
    "bad-answer",
    `${what}: ${field} is no token: it has other characters than visible ASCII`,
  );
}
