import type { Access, Ask, Client } from "../contract/client.js";
import { type Clock, sleep } from "../contract/clock.js";
import type { Service } from "../contract/service.js";
import type { Account } from "../contract/account.js";
import { failure, withOutcome } from "./failure.js";
import { exchange, type RawReply } from "./http.js";
import { ServiceError } from "../contract/problem.js";
import { isRateLimit, isSafe, one, retryDelay, waitOf } from "./retry.js";
import { urlOf } from "./url.js";

/** What a client works with: the service as data, its account, and the limits of one call. */
export interface ClientOptions {
  readonly service: Service;
  readonly baseUrl: string;
  readonly access: Access;
  readonly clock: Clock;
  /** Per attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Aborts whatever runs when the call is cancelled. */
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 3;

/** A client on undici: signs, retries what may be retried, follows same-origin redirects of reads, parses. */
export function createClient(options: ClientOptions): Client {
  const request: Client["request"] = async (schema, ask) => {
    const { raw, body } = await answered(options, ask);
    const parsed = schema.safeParse(body);
    if (!parsed.success)
      throw withOutcome(options.service, ask, new ServiceError("unexpected", "answered in an unknown form"));
    return { data: parsed.data, headers: raw.headers };
  };
  return {
    account: () => options.access.current(options.signal),
    request,
    get: async (schema, path, query = {}) => (await request(schema, { method: "GET", path, query })).data,
    post: async (schema, path, json) => (await request(schema, { method: "POST", path, json })).data,
  };
}

/** Sends until there is an answer worth reading: renews a refused token once, waits out short rate limits. */
async function answered(options: ClientOptions, ask: Ask): Promise<{ raw: RawReply; body: unknown }> {
  const { service, access, clock, signal } = options;
  let account = await access.current(signal);
  let renewed = false;
  for (let number = 1; ; number += 1) {
    const raw = await send(options, ask, account);
    const body = bodyOf(raw);
    const complaint = service.complaint(body, raw.status);
    const limited = isRateLimit(raw.status, raw.headers) || complaint?.kind === "rate-limited";
    if (raw.status < 300 && complaint === undefined && !limited) return { raw, body };
    const refused = complaint?.kind === "unauthorized" || raw.status === 401;
    if (refused && !renewed) {
      renewed = true;
      const newer = await access.renew(account, signal);
      if (newer !== undefined) {
        account = newer;
        continue;
      }
    }
    const waitMs = waitOf(raw.headers, clock.now());
    const delay = retryDelay({ status: raw.status, limited, waitMs, safe: isSafe(ask), number });
    if (delay === undefined) throw failure({ service, ask, raw, complaint, limited, waitMs });
    await sleep(clock, delay, signal).catch(() => {
      throw new ServiceError("cancelled", "the call was cancelled");
    });
  }
}

async function send(options: ClientOptions, ask: Ask, account: Account): Promise<RawReply> {
  const { service, baseUrl, ...rest } = options;
  let url = urlOf(baseUrl, ask.path, ask.query);
  for (let hops = 0; ; hops += 1) {
    const raw = await exchange({
      ...rest,
      method: ask.method,
      url,
      headers: {
        accept: "application/json",
        ...service.headers(account),
        ...(ask.json !== undefined && { "content-type": "application/json" }),
        ...ask.headers,
      },
      ...(ask.json !== undefined && { body: JSON.stringify(ask.json) }),
    }).catch((error: unknown) => {
      throw withOutcome(service, ask, error);
    });
    const next = redirect(raw, url);
    // A token never follows to another origin, and nothing but reading is repeated elsewhere.
    if (next === undefined || ask.method !== "GET" || hops === MAX_REDIRECTS) return raw;
    url = next;
  }
}

function redirect(raw: RawReply, from: string): string | undefined {
  const location = one(raw.headers, "location");
  if (![301, 302, 307, 308].includes(raw.status) || location === undefined) return undefined;
  if (!URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  return target.origin === new URL(from).origin ? target.href : undefined;
}

function bodyOf(raw: RawReply): unknown {
  if (raw.text.trim() === "") return undefined;
  try {
    return JSON.parse(raw.text);
  } catch {
    // A page of a proxy or a plain text: its schema will refuse it, its status explains it.
    return raw.text;
  }
}
