import * as z from "zod";
import type { Clock } from "../contract/clock.js";
import { exchange } from "../client/http.js";
import { ServiceError } from "../contract/problem.js";

/** A token answer (RFC 6749 section 5.1); GitHub sends errors as 200. */
const grantSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
  scope: z.string().optional(),
});
const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() });

export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  readonly scopes?: readonly string[];
}

export interface GrantRequest {
  readonly tokenUrl: string;
  readonly form: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024;

/** Asks a token endpoint; ServiceError `unauthorized` when the grant is no good (any more). */
export async function requestGrant({ tokenUrl, form, clock, signal }: GrantRequest): Promise<Grant> {
  const reply = await exchange({
    method: "POST",
    url: tokenUrl,
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    clock,
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw named(error);
  });
  const body = parse(reply.text);
  const refusal = errorSchema.safeParse(body);
  if (refusal.success) throw refused(refusal.data);
  const grant = grantSchema.safeParse(body);
  if (!grant.success)
    throw new ServiceError(
      "unexpected",
      `the authorization server answered ${reply.status} in an unknown form`,
    );
  const { access_token, refresh_token, expires_in, scope } = grant.data;
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: clock.now() + expires_in * 1000 }),
    ...(scope !== undefined && { scopes: scope.split(/[ ,]+/).filter(Boolean) }),
  };
}

function refused({ error, error_description }: z.infer<typeof errorSchema>): ServiceError {
  const why = error_description === undefined ? error : `${error}: ${error_description}`;
  return new ServiceError("unauthorized", `the authorization server refused (${why.slice(0, 300)})`);
}

function named(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.kind === "cancelled") return error;
  return new ServiceError(error.kind, `the authorization server ${error.message}`, { cause: error });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: no grant either, which is what the caller finds.
    return undefined;
  }
}
