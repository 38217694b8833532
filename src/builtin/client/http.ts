import type { Headers } from "../contract/client.js";
import type { Dispatcher } from "undici";
import type { Clock } from "../contract/clock.js";
import { ServiceError } from "../contract/problem.js";

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Over connecting, sending and reading the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Cap of the answer's body; nothing is decompressed, because no encoding is asked for. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One request and its whole answer. ServiceError: `timeout`, `cancelled`, `unreachable` (never sent) or `unexpected`. */
export async function exchange(ask: Exchange): Promise<RawReply> {
  const limit = new AbortController();
  const stop = ask.clock.after(ask.timeoutMs, () => limit.abort());
  const signal = ask.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, ask.signal]);
  try {
    const { request } = await import("undici");
    const { statusCode, headers, body } = await request(ask.url, {
      method: ask.method,
      headers: { "user-agent": "mcpvisor", ...ask.headers },
      body: ask.body ?? null,
      signal,
      dispatcher: await dispatcher(),
    });
    return { status: statusCode, headers, text: await readCapped(body, ask.maxBytes) };
  } catch (error) {
    throw problemOf(error, ask, limit.signal.aborted);
  } finally {
    stop();
  }
}

let shared: Promise<Dispatcher> | undefined;

/** One pool for the process; proxies of the environment are used where there are any. */
function dispatcher(): Promise<Dispatcher> {
  return (shared ??= import("undici").then(({ Agent, EnvHttpProxyAgent }) => {
    const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env;
    const proxied = [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some((each) => each);
    return proxied ? new EnvHttpProxyAgent() : new Agent();
  }));
}

async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes)
      throw new ServiceError(
        "too-large",
        `answered with more than ${maxBytes} bytes; ask for less (a smaller limit, a narrower query)`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Codes of failures before the first byte of a request left. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
]);

function problemOf(error: unknown, ask: Exchange, timedOut: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  if (ask.signal?.aborted) return new ServiceError("cancelled", "the call was cancelled", { cause: error });
  if (timedOut)
    return new ServiceError("timeout", `did not answer within ${ask.timeoutMs / 1000} s`, { cause: error });
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  const host = new URL(ask.url).host;
  return neverSent.has(code) || code.startsWith("CERT_") || code.includes("SELF_SIGNED")
    ? new ServiceError("unreachable", `cannot be reached at ${host} (${code})`, { cause: error })
    : new ServiceError("unexpected", `broke off the exchange (${code})`, { cause: error });
}
