import type { Headers } from "../contract/client.js";

/** How an attempt ended, as far as trying again goes. */
export interface Attempt {
  readonly status: number;
  /** The service says that too much was asked of it; the request was not carried out. */
  readonly limited: boolean;
  /** What the service asks us to wait, in milliseconds. */
  readonly waitMs: number | undefined;
  /** Reading, or something that may be done twice. */
  readonly safe: boolean;
  /** 1 for the first attempt. */
  readonly number: number;
}

const MAX_ATTEMPTS = 3;
/** Longer waits are the model's to decide; a call that hangs for minutes helps nobody. */
const LONGEST_WAIT_MS = 5_000;
const FIRST_WAIT_MS = 500;

/** Milliseconds to wait before the request is sent again, or undefined when it must not be. */
export function retryDelay(attempt: Attempt): number | undefined {
  const passing = attempt.limited || (attempt.safe && [502, 503, 504].includes(attempt.status));
  if (!passing || attempt.number >= MAX_ATTEMPTS) return undefined;
  const wait = attempt.waitMs ?? FIRST_WAIT_MS * 2 ** (attempt.number - 1);
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}

/** Whether the status and headers of an answer mean "too many requests" (RFC 6585; GitHub also answers 403). */
export function isRateLimit(status: number, headers: Headers): boolean {
  if (status === 429) return true;
  return status === 403 && (one(headers, "retry-after") !== undefined || isSpent(headers));
}

/** The wait that `Retry-After` (seconds or a date, RFC 9110 10.2.3) or a spent `X-RateLimit-Reset` asks for. */
export function waitOf(headers: Headers, now: number): number | undefined {
  const after = one(headers, "retry-after");
  if (after !== undefined) {
    const seconds = Number(after);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
    return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
  }
  const reset = Number(one(headers, "x-ratelimit-reset") ?? Number.NaN);
  return isSpent(headers) && Number.isFinite(reset) ? Math.max(0, reset * 1000 - now) : undefined;
}

function isSpent(headers: Headers): boolean {
  return one(headers, "x-ratelimit-remaining") === "0";
}

/** The first value of a header. */
export function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** Whether sending a request twice does no harm: reads, and what is marked so. */
export function isSafe(ask: { readonly method: string; readonly safe?: boolean }): boolean {
  return ask.method === "GET" || ask.safe === true;
}
