import type { Cause } from "../../../errors.js";
import type { TimerId } from "../../../clock.js";
import type { Loss } from "../../transport.js";
import { Body } from "../body.js";
import { Exchange, type Progress, type Sink } from "../exchange.js";
import { judgeFailure } from "../failure.js";
import type { ReplyHeaders } from "../headers.js";
import type { HttpPorts } from "../httpPorts.js";
import type { HttpSession } from "../session.js";
import { judgeReply } from "../verdict.js";

const errorBodyBytes = 64 * 1024;
const errorBodyMs = 2000;

export interface PostedRequest {
  readonly text: string;
  readonly method: string;
  /** The server did not take it. Not called when it did: the answer comes on the stream. */
  readonly lost: (loss: Loss) => void;
}

/** The POST of one request whose answer comes elsewhere (HTTP+SSE): any 2xx is fine, everything else is a loss. */
export class RequestPost implements Sink {
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #request: PostedRequest;
  #exchange: Exchange | undefined;
  #refusal: { status: number; headers: ReplyHeaders; body: Body } | undefined;
  #timer: TimerId;
  #isStopped = false;

  constructor(ports: HttpPorts, session: HttpSession, request: PostedRequest) {
    this.#ports = ports;
    this.#session = session;
    this.#request = request;
  }

  start(): void {
    if (this.#isStopped) return;
    const { wire, path } = this.#ports;
    const { method, text } = this.#request;
    const headers = this.#session.postHeaders({ method: "" });
    const repeatable = method !== "tools/call";
    this.#exchange = new Exchange(
      wire,
      { method: "POST", path, headers, body: text, cookies: this.#session.cookies, repeatable },
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
    if (status < 300) return;
    this.#refusal = { status, headers, body: new Body(errorBodyBytes) };
    this.#timer = this.#ports.clock.setTimeout(() => this.#refuse(), errorBodyMs);
  }

  data(chunk: Buffer): void {
    if (this.#refusal !== undefined && !this.#refusal.body.add(chunk)) this.#refuse();
  }

  end(): void {
    if (this.#refusal !== undefined) this.#refuse();
  }

  fail(error: Error, progress: Progress): void {
    if (this.#refusal !== undefined) return this.#refuse();
    // A 2xx that breaks in its body did take the message.
    if (progress !== "answering")
      this.#lose(judgeFailure(error, progress, this.#ports.server, this.#ports.wire.way));
  }

  refused(cause: Cause): void {
    this.#lose({ sent: "no", cause });
  }

  #refuse(): void {
    if (this.#refusal === undefined) return;
    const { status, headers, body } = this.#refusal;
    const { server, wire, path, clock } = this.#ports;
    const asked = { server, address: wire.origin + path, hadSession: false, now: clock.now() };
    this.#lose(judgeReply({ status, headers, text: body.text() }, asked));
  }

  #lose(loss: Loss): void {
    if (this.#isStopped) return;
    this.stop();
    this.#request.lost(loss);
  }
}
