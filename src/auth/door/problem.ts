/** What went wrong in a flow. Every kind has one reaction: transient ones are tried again, the others need a person. */
export type AuthFailure =
  /** No connection, no answer in time, 5xx, 429: what is stored stays. */
  | "unreachable"
  /** An address that must not be asked: a private network, plain http, credentials in it. */
  | "blocked-address"
  /** A redirect that is not followed. */
  | "redirected"
  /** Metadata or an answer that is not what the standard says; the message names the field. */
  | "bad-answer"
  | "issuer-mismatch"
  | "resource-mismatch"
  /** The authorization server does not say that it checks PKCE with S256. */
  | "no-pkce"
  /** Nobody registered this client there and it cannot register itself. */
  | "no-client"
  | "registration-refused"
  /** An OAuth error code (`oauthError`). */
  | "refused"
  /** The answer of the browser is not that of this attempt. */
  | "bad-callback"
  /** `iss` missing or of another authorization server (RFC 9207). */
  | "iss-mismatch"
  | "timeout"
  | "cancelled"
  /** Another login of this account runs, or too many at once. */
  | "busy"
  /** The account's file cannot be read or written. */
  | "file"
  /** The key of the sealed accounts cannot be had from the keyring. */
  | "locked"
  /** The entry says something that this server cannot do. */
  | "unsupported";

export interface AuthErrorOptions extends ErrorOptions {
  readonly oauthError?: string;
  /** When a new try makes sense, in milliseconds from now. */
  readonly retryAfterMs?: number;
  /** The request may have reached the authorization server although no answer came. */
  readonly perhapsDone?: boolean;
}

/** Thrown inside the flow, a value at its doors. The message is one sentence without secrets and without bodies. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly failure: AuthFailure;
  readonly oauthError?: string;
  readonly retryAfterMs?: number;
  readonly perhapsDone: boolean;

  constructor(failure: AuthFailure, message: string, options: AuthErrorOptions = {}) {
    super(message, options);
    this.failure = failure;
    this.perhapsDone = options.perhapsDone ?? false;
    if (options.oauthError !== undefined) this.oauthError = options.oauthError;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Words of a stranger, fit for a message: one line of visible characters, at most 200. */
export function quoted(text: unknown): string {
  if (typeof text !== "string") return `(${text === null ? "null" : typeof text})`;
  // Control and format characters could colour a terminal or hide what follows.
  const visible = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return `"${visible.length > 200 ? `${visible.slice(0, 200)}…` : visible}"`;
}
