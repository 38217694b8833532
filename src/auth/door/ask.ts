import type { Clock } from "../../clock.js";
import { checkedUrl, type Reach, shown } from "./address.js";
import { AuthError } from "./problem.js";
import { checkLiteral, guardedLookup, type Lookup } from "./reach.js";

/** One request of a flow. */
export interface AskRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** What is asked for, for the messages: "the metadata of …". */
  readonly what: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Where it came from, after redirects. */
  readonly url: string;
}

export type Ask = (request: AskRequest) => Promise<Answer>;

export interface DoorOptions {
  readonly clock: Clock;
  /** Found out with the first request. */
  readonly reach: () => Promise<Reach>;
  readonly userAgent?: string;
  readonly lookup?: Lookup;
}

const connectMs = 5000;
const mostBytes = 256 * 1024;
const mostRedirects = 3;

/**
 * The one door to metadata, tokens and registrations: https or this machine, no private networks behind a public
 * server, limits on time and size, redirects only for GET inside one origin. Every connection is its own, and gone
 * with the answer.
 */
export function createDoor(options: DoorOptions): Ask {
  return async (request) => {
    const { clock } = options;
    const gone = new AbortController();
    const timer = clock.setTimeout(
      () =>
        gone.abort(new AuthError("unreachable", `${request.what}: no answer within ${request.timeoutMs} ms`)),
      request.timeoutMs,
    );
    const stop = (): void => gone.abort(new AuthError("cancelled", `${request.what}: given up`));
    request.signal?.addEventListener("abort", stop);
    if (request.signal?.aborted === true) stop();
    try {
      return await follow(request, options, gone.signal);
    } finally {
      clock.clearTimeout(timer);
      request.signal?.removeEventListener("abort", stop);
    }
  };
}

async function follow(request: AskRequest, options: DoorOptions, signal: AbortSignal): Promise<Answer> {
  let url = checkedUrl(request.url, request.what);
  const reach = await options.reach();
  for (let redirects = 0; ; redirects += 1) {
    checkLiteral(url.hostname, reach);
    const answer = await once(url, request, options, reach, signal);
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
    url = redirectTarget(url, request, answer, redirects);
  }
}

function redirectTarget(from: URL, { method, what }: AskRequest, answer: Answer, redirects: number): URL {
  const location = answer.headers["location"];
  const target =
    typeof location === "string" && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (method !== "GET" || target?.origin !== from.origin || redirects === mostRedirects) {
    const where = target === undefined ? "" : ` to ${target.origin}`;
    throw new AuthError("redirected", `${what}: ${shown(from)} redirects${where}; that is not followed`);
  }
  return target;
}

async function once(
  url: URL,
  request: AskRequest,
  options: DoorOptions,
  reach: Reach,
  signal: AbortSignal,
): Promise<Answer> {
  const { Client } = await import("undici");
  const connect = { timeout: connectMs, lookup: guardedLookup(reach, options.lookup) };
  const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 0 });
  try {
    const { statusCode, headers, body } = await client.request({
      path: url.pathname + url.search,
      method: request.method,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        ...(options.userAgent !== undefined && { "user-agent": options.userAgent }),
        ...request.headers,
      },
      body: request.body ?? null,
      signal,
    });
    const text = await read(body as AsyncIterable<Buffer>, request.what);
    return { status: statusCode, headers, text, url: url.href };
  } catch (error) {
    throw named(error, request, url, signal);
  } finally {
    await client.destroy();
  }
}

async function read(body: AsyncIterable<Buffer>, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) throw new AuthError("bad-answer", `${what}: larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Errors of a connection that was never made: the request has certainly not been seen. */
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|^ERR_TLS/;

function named(error: unknown, { what }: AskRequest, url: URL, signal: AbortSignal): AuthError {
  if (signal.aborted && signal.reason instanceof AuthError) {
    const { failure, message } = signal.reason;
    return new AuthError(failure, message, { cause: error, perhapsDone: true });
  }
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  if (inner instanceof AuthError) return inner;
  const code = inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : "";
  const detail = code === "" ? "the connection broke" : code;
  return new AuthError("unreachable", `${what}: ${url.origin} did not answer (${detail})`, {
    cause: error,
    perhapsDone: !unsent.test(code),
  });
}
