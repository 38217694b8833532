import type { TimerId } from "../../clock.js";
import type { Envelope } from "../transport.js";
import { Exchange, type Progress, type Sink } from "./exchange.js";
import { judgeFailure } from "./failure.js";
import type { HttpPorts } from "./httpPorts.js";
import type { HttpSession } from "./session.js";
import type { ReplyHeaders } from "./headers.js";

// How long a server may take to acknowledge a notification before others stop waiting for it.
const ackMs = 30_000;

/**
 * One notification, or our answer to a request of the server: any 2xx is an acknowledgement and its body is thrown
 * away. `done` is called once, whatever happened; a failure is a warning.
 */
export class NotificationPost implements Sink {
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #about: Envelope;
  readonly #text: string;
  readonly #done: (notification: NotificationPost) => void;
  #exchange: Exchange | undefined;
  #timer: TimerId;
  #isDone = false;

  constructor(
    ports: HttpPorts,
    session: HttpSession,
    text: string,
    about: Envelope,
    done: (notification: NotificationPost) => void,
  ) {
    this.#ports = ports;
    this.#session = session;
    this.#text = text;
    this.#about = about;
    this.#done = done;
  }

  start(): void {
    const { wire, path, clock } = this.#ports;
    const headers = this.#session.postHeaders(this.#about);
    this.#timer = clock.setTimeout(() => this.#expire(), ackMs);
    this.#exchange = new Exchange(
      wire,
      { method: "POST", path, headers, body: this.#text, cookies: this.#session.cookies, repeatable: true },
      this,
    );
    this.#exchange.start();
  }

  stop(): void {
    this.#isDone = true;
    if (this.#timer !== undefined) this.#ports.clock.clearTimeout(this.#timer);
    this.#exchange?.abort();
  }

  head(status: number, _headers: ReplyHeaders): void {
    if (status >= 300) {
      if ((status === 404 || status === 410) && this.#session.id !== undefined)
        this.#ports.sessionLost(this.#session);
      this.#warn(`was answered with HTTP ${status}`);
    }
    this.#finish();
  }

  data(): void {
    // The body says nothing; reading it keeps the connection usable.
  }

  end(): void {
    if (this.#timer !== undefined) this.#ports.clock.clearTimeout(this.#timer);
  }

  fail(error: Error, progress: Progress): void {
    this.end();
    if (this.#isDone) return;
    this.#warn(
      `failed: ${judgeFailure(error, progress, this.#ports.server, this.#ports.wire.way).cause.message}`,
    );
    this.#finish();
  }

  #expire(): void {
    this.#exchange?.abort();
    if (this.#isDone) return;
    this.#warn(`was not acknowledged within ${ackMs / 1000} s`);
    this.#finish();
  }

  #warn(what: string): void {
    this.#ports.warn(
      "notification-failed",
      `the notification ${this.#about.method || "(an answer of ours)"} ${what}`,
    );
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done(this);
  }
}
