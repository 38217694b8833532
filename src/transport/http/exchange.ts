import type { Dispatcher } from "undici";
import type { CookieJar } from "./connect/cookies.js";
import { createInflater, type Inflater } from "./inflate.js";
import { redirectTarget } from "./redirect.js";
import type { Wire } from "./connect/wire.js";
import { header, type ReplyHeaders } from "./headers.js";

/** A request as it goes out; header names and values alternate. */
export interface Outgoing {
  readonly method: "POST" | "GET" | "DELETE";
  readonly path: string;
  readonly headers: string[];
  readonly body?: string;
  /** Of the session; gets what the answer sets. */
  readonly cookies: CookieJar;
  /** May be sent again when a reused connection turns out to be closed before a byte of the answer. */
  readonly repeatable: boolean;
}

/** How far an exchange had come when it failed: nothing written, perhaps written, answer begun. */
export type Progress = "unsent" | "sent" | "answering";

/** Takes the answer of one exchange: head once, then data, then end or fail. Nothing comes after an abort. */
export interface Sink {
  head(status: number, headers: ReplyHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  fail(error: Error, progress: Progress): void;
}

const maxRedirects = 3;

/** One HTTP request and its answer, inflated, with same-origin redirects followed and a stale connection got over. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #wire: Wire;
  readonly #outgoing: Outgoing;
  readonly #sink: Sink;
  #path: string;
  #pool: Dispatcher | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #inflater: Inflater | undefined;
  #progress: Progress = "unsent";
  #redirects = 0;
  #redirected = false;
  #repeated = false;
  #isStarting = false;
  #done = false;

  constructor(wire: Wire, outgoing: Outgoing, sink: Sink) {
    this.#wire = wire;
    this.#outgoing = outgoing;
    this.#sink = sink;
    this.#path = outgoing.path;
  }

  start(): this {
    this.#redirected = false;
    this.#progress = "unsent";
    const { method, headers, body, cookies } = this.#outgoing;
    const cookie = cookies.size === 0 ? undefined : cookies.header(this.#path, Date.now());
    const options = {
      origin: this.#wire.origin,
      path: this.#path,
      method,
      headers: cookie === undefined ? headers : [...headers, "cookie", cookie],
      body: body ?? null,
    };
    this.#isStarting = true;
    this.#pool = this.#wire.dispatch(options, this);
    this.#isStarting = false;
    return this;
  }

  /** Ends the exchange; the sink hears nothing more. */
  abort(): void {
    if (this.#done) return;
    this.#done = true;
    this.#inflater?.destroy();
    this.#controller?.abort(new Error("the exchange was given up"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#done) return controller.abort(new Error("the exchange was given up"));
    this.#progress = "sent";
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    // 100 Continue and 103 Early Hints come before the answer.
    if (this.#done || status < 200) return;
    this.#progress = "answering";
    this.#outgoing.cookies.take(headers["set-cookie"], this.#path, Date.now());
    const path = this.#redirects < maxRedirects ? this.#redirectPath(status, headers) : undefined;
    if (path !== undefined) {
      this.#redirects += 1;
      this.#redirected = true;
      this.#path = path;
      return;
    }
    this.#inflater = createInflater(header(headers, "content-encoding"), {
      data: (chunk) => !this.#done && this.#sink.data(chunk),
      end: () => this.#finish(),
      fail: (error) => this.#fail(error),
      full: (isFull) => (isFull ? controller.pause() : controller.resume()),
    });
    this.#sink.head(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done || this.#redirected) return;
    if (this.#inflater === undefined) this.#sink.data(chunk);
    else this.#inflater.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#done) return;
    if (this.#redirected) this.start();
    else if (this.#inflater === undefined) this.#finish();
    else this.#inflater.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#done) return;
    // What cannot even be dispatched fails at once; whoever started it must not hear of it before start() is over.
    if (this.#isStarting) return queueMicrotask(() => this.#fail(error));
    if (this.#mayRepeat()) {
      this.#repeated = true;
      if (this.#pool !== undefined) this.#wire.renew(this.#pool);
      this.start();
    } else {
      this.#fail(error);
    }
  }

  #redirectPath(status: number, headers: ReplyHeaders): string | undefined {
    return redirectTarget(status, header(headers, "location"), new URL(this.#wire.origin + this.#path));
  }

  #mayRepeat(): boolean {
    return this.#outgoing.repeatable && this.#progress === "sent" && !this.#repeated;
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#sink.end();
  }

  #fail(error: Error): void {
    if (this.#done) return;
    this.abort();
    this.#sink.fail(error, this.#progress);
  }
}
