import type { Dispatcher } from "undici";
import type { Cause } from "../../errors.js";
import type { CookieJar } from "./connect/cookies.js";
import { createInflater, type Inflater } from "./inflate.js";
import { redirectTarget } from "./redirect.js";
import type { Wire } from "./connect/wire.js";
import { header, isRefusal, type ReplyHeaders } from "./headers.js";

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
  /** In place of all that: no token is good for it. Without this ear the status is told, with no body. */
  refused?(cause: Cause): void;
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
  /** The token that went out, whether it was refused, and whether this is the second try. */
  #token: string | undefined;
  #isRefused = false;
  #resent = false;

  constructor(wire: Wire, outgoing: Outgoing, sink: Sink) {
    this.#wire = wire;
    this.#outgoing = outgoing;
    this.#sink = sink;
    this.#path = outgoing.path;
  }

  start(): this {
    const waiting = this.#wire.authorization?.fresh();
    if (waiting === undefined) this.#send();
    else void waiting.then(() => !this.#done && this.#send());
    return this;
  }

  #send(): void {
    this.#redirected = false;
    this.#isRefused = false;
    this.#progress = "unsent";
    const { method, body, cookies } = this.#outgoing;
    const cookie = cookies.size === 0 ? undefined : cookies.header(this.#path, Date.now());
    this.#token = this.#wire.authorization?.header();
    if (this.#token !== undefined) this.#wire.hasSentToken = true;
    const headers =
      cookie === undefined ? this.#outgoing.headers : [...this.#outgoing.headers, "cookie", cookie];
    const options = {
      origin: this.#wire.origin,
      path: this.#path,
      method,
      headers: this.#token === undefined ? headers : [...headers, "authorization", this.#token],
      body: body ?? null,
    };
    this.#isStarting = true;
    this.#pool = this.#wire.dispatch(options, this);
    this.#isStarting = false;
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
    if (this.#wire.authorization !== undefined && isRefusal(status, headers)) {
      this.#isRefused = true;
      void this.#renew(status, headers);
      // Its body says nothing that the head does not, and must not hold anybody up.
      return controller.abort(new Error("refused"));
    }
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
    if (this.#done || this.#redirected || this.#isRefused) return;
    if (this.#inflater === undefined) this.#sink.data(chunk);
    else this.#inflater.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#done || this.#isRefused) return;
    if (this.#redirected) this.start();
    else if (this.#inflater === undefined) this.#finish();
    else this.#inflater.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#done || this.#isRefused) return;
    // What cannot even be dispatched fails at once; whoever started it must not hear of it before start() is over.
    if (this.#isStarting) return queueMicrotask(() => this.#fail(error));
    // Connections that lie idle as long as this one did are probably closed as well: whatever is sent next gets a new one.
    if (this.#progress === "sent" && this.#pool !== undefined) this.#wire.renew(this.#pool);
    if (!this.#mayRepeat()) return this.#fail(error);
    this.#repeated = true;
    this.start();
  }

  /** Sends it once more when there is another token: a refused request has certainly not run. */
  async #renew(status: number, headers: ReplyHeaders): Promise<void> {
    const refusal = { status, challenge: headers["www-authenticate"], resent: this.#resent };
    const cause = await this.#wire.authorization?.renew(this.#token, refusal);
    if (this.#done) return;
    if (cause === undefined && !this.#resent) {
      this.#resent = true;
      this.start();
      return;
    }
    this.#done = true;
    if (cause !== undefined && this.#sink.refused !== undefined) return this.#sink.refused(cause);
    this.#sink.head(status, headers);
    this.#sink.end();
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
