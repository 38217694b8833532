import type { TimerId } from "../../clock.js";
import { Exchange, type Sink } from "./exchange.js";
import { type Cursor, EventStream } from "./eventStream.js";
import type { HttpPorts } from "./httpPorts.js";
import type { HttpSession } from "./session.js";
import { mediaType, retryAfter, type ReplyHeaders } from "./headers.js";

const firstWaitMs = 1000;
const maxWaitMs = 30_000;
// A server may ask for less haste, but not for a wait that a timer cannot hold.
const maxAskedMs = 600_000;

/**
 * The listening stream of one session (GET), where list changes arrive. A server that offers none is asked once; one
 * that fails or ends the stream is asked again after 1 s, 2 s, 4 s … 30 s, or after its own `retry` or Retry-After.
 */
export class Listener implements Sink {
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #cursor: Cursor = {};
  #exchange: Exchange | undefined;
  #events: EventStream | undefined;
  #timer: TimerId;
  #barren = 0;
  #waitMs: number | undefined;
  #isStopped = false;

  constructor(ports: HttpPorts, session: HttpSession) {
    this.#ports = ports;
    this.#session = session;
  }

  start(): void {
    if (this.#isStopped) return;
    const { wire, path } = this.#ports;
    const headers = this.#session.getHeaders(this.#cursor.lastId);
    this.#exchange = new Exchange(
      wire,
      { method: "GET", path, headers, cookies: this.#session.cookies, repeatable: false },
      this,
    );
    this.#exchange.start();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== undefined) this.#ports.clock.clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  head(status: number, headers: ReplyHeaders): void {
    const isPassing = status === 409 || status === 429 || status >= 500;
    // 501 says that GET is not implemented: as final as 405.
    if (isPassing && status !== 501) {
      this.#waitMs = retryAfter(headers, this.#ports.clock.now());
    } else if (status === 200 && mediaType(headers) === "text/event-stream") {
      this.#events = new EventStream(this.#ports.maxBytes, this.#streamSink(), this.#cursor);
    } else {
      this.stop();
    }
  }

  data(chunk: Buffer): void {
    this.#events?.write(chunk);
  }

  end(): void {
    this.#events?.end();
    this.#events = undefined;
    if (this.#isStopped) return;
    this.#timer = this.#ports.clock.setTimeout(() => this.start(), this.#nextWaitMs());
    this.#barren += 1;
    this.#waitMs = undefined;
  }

  fail(): void {
    this.end();
  }

  /** The server's own wait counts, but one that keeps ending empty streams is asked less and less often. */
  #nextWaitMs(): number {
    const ownMs = Math.min(firstWaitMs * 2 ** this.#barren, maxWaitMs);
    const askedMs = this.#waitMs ?? this.#cursor.retryMs ?? ownMs;
    return Math.min(this.#barren === 0 ? askedMs : Math.max(askedMs, ownMs), maxAskedMs);
  }

  #streamSink(): ConstructorParameters<typeof EventStream>[1] {
    return {
      message: (message) => {
        this.#barren = 0;
        this.#ports.deliver(message);
      },
      noise: () => this.#ports.warn("stream-noise", "the listening stream carries data that is no JSON"),
      oversize: () =>
        this.#ports.warn("oversize", "a message on the listening stream was over the limit and was dropped"),
    };
  }
}
