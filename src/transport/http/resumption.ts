import type { TimerId } from "../../clock.js";
import type { Loss } from "../transport.js";
import { Exchange, type Sink } from "./exchange.js";
import type { Cursor, EventStream } from "./eventStream.js";
import type { HttpPorts } from "./httpPorts.js";
import type { HttpSession } from "./session.js";
import { mediaType, type ReplyHeaders } from "./headers.js";

export interface ResumedRequest {
  openStream(): EventStream;
  isOver(): boolean;
  giveUp(why: string): void;
}

// Tries in a row that bring nothing new; a stream that moves on may be cut as often as it likes (2025-11-25, polling).
const maxBarren = 5;
const firstWaitMs = 500;
const maxWaitMs = 30_000;

/** Takes up a broken stream of one request: GET with Last-Event-ID after the server's `retry` or an own growing wait. */
export class Resumption implements Sink {
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #cursor: Cursor;
  readonly #request: ResumedRequest;
  #exchange: Exchange | undefined;
  #events: EventStream | undefined;
  #timer: TimerId;
  #barren = 0;
  #triedId: string | undefined;

  constructor(ports: HttpPorts, session: HttpSession, cursor: Cursor, request: ResumedRequest) {
    this.#ports = ports;
    this.#session = session;
    this.#cursor = cursor;
    this.#request = request;
  }

  /** Plans the next try, or gives up. */
  next(): void {
    if (this.#request.isOver()) return;
    this.#barren = this.#cursor.lastId === this.#triedId ? this.#barren + 1 : 0;
    if (this.#barren >= maxBarren) {
      return this.#request.giveUp(`without an answer, also after ${maxBarren} attempts to resume it`);
    }
    this.#triedId = this.#cursor.lastId;
    const ownWaitMs = Math.min(firstWaitMs * 2 ** this.#barren, maxWaitMs);
    this.#timer = this.#ports.clock.setTimeout(() => this.#try(), this.#cursor.retryMs ?? ownWaitMs);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#ports.clock.clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  head(status: number, headers: ReplyHeaders): void {
    if (status === 200 && mediaType(headers) === "text/event-stream") {
      this.#events = this.#request.openStream();
    } else if (!isPassing(status)) {
      this.#exchange?.abort();
      this.#request.giveUp(`without an answer, and resuming it was answered with HTTP ${status}`);
    }
  }

  data(chunk: Buffer): void {
    this.#events?.write(chunk);
  }

  end(): void {
    this.#events?.end();
    this.#events = undefined;
    this.next();
  }

  fail(): void {
    this.end();
  }

  #try(): void {
    const { wire, path } = this.#ports;
    const headers = this.#session.getHeaders(this.#cursor.lastId);
    this.#exchange = new Exchange(
      wire,
      { method: "GET", path, headers, cookies: this.#session.cookies, repeatable: true },
      this,
    );
    this.#exchange.start();
  }
}

/** A loss for a stream or body that ended without an answer: the request did arrive. */
export function lostAnswer(server: string, how = "without an answer"): Loss {
  return { sent: "yes", cause: { kind: "reset", message: `server "${server}": the stream ended ${how}` } };
}

function isPassing(status: number): boolean {
  return status === 409 || status === 429 || status >= 500;
}
