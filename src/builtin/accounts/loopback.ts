import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, sleep } from "../contract/clock.js";
import { AccountError } from "./errors.js";
import { codeOf } from "./redirect.js";

/** Waits on 127.0.0.1 for the one redirect of an authorization (RFC 8252 section 7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** The code of the first redirect with our state; others are answered 400 and do not count. */
  readonly code: Promise<string>;
  close(): void;
}

export interface LoopbackOptions {
  readonly state: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** 0 takes any free port. */
  readonly port: number;
  readonly signal?: AbortSignal;
}

const PATH = "/callback";

/** Opens the listener. */
export async function openLoopback(options: LoopbackOptions): Promise<Loopback> {
  const { state, clock, timeoutMs, signal } = options;
  const settled = deferred<string>();
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1${request.url ?? "/"}`;
    if (request.method !== "GET" || new URL(address).pathname !== PATH)
      return page(response, 404, "Not found.");
    const result = outcome(address, state);
    if (result.kind === "foreign") return page(response, 400, "This answer belongs to another attempt.");
    page(response, 200, "Done. You can close this window and go back to the terminal.");
    if (result.kind === "code") settled.resolve(result.code);
    else settled.reject(result.error);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  sleep(clock, timeoutMs, ended).then(
    () => settled.reject(new AccountError(`nobody answered within ${timeoutMs / 1000} s; start again`)),
    () => settled.reject(new AccountError("cancelled")),
  );
  // Whoever closes without waiting for the code must not meet its rejection later.
  settled.promise.catch(() => undefined);
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    code: settled.promise,
    close: () => {
      stop.abort();
      server.close();
      server.closeAllConnections();
    },
  };
}

type Outcome =
  | { kind: "code"; code: string }
  | { kind: "refused"; error: AccountError }
  | { kind: "foreign" };

/** Any page of the browser can call us; only an answer that knows our state ends the waiting. */
function outcome(address: string, state: string): Outcome {
  try {
    return { kind: "code", code: codeOf(address, state) };
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    return new URL(address).searchParams.get("state") === state
      ? { kind: "refused", error }
      : { kind: "foreign" };
  }
}

function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(text);
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(reason: unknown): void } {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
