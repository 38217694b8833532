import type { TimerId } from "../../../clock.js";
import { type Cause, ConnectError } from "../../../errors.js";
import { Body } from "../body.js";
import { Exchange, type Progress, type Sink } from "../exchange.js";
import { judgeFailure } from "../failure.js";
import { EventStream } from "../eventStream.js";
import { type ReplyHeaders, mediaType } from "../headers.js";
import type { HttpPorts } from "../httpPorts.js";
import type { HttpSession } from "../session.js";
import { judgeOddBody, judgeReply } from "../verdict.js";

const errorBodyBytes = 64 * 1024;

export interface EndpointEars {
  /** Where to POST, as path and query. Called before any message that follows in the stream is delivered. */
  opened(path: string): void;
  /** Once, when the stream ends after it was open and without `stop`. */
  closed(cause: Cause): void;
}

/**
 * The one long stream of HTTP+SSE (MCP 2024-11-05, Transports): GET, first an `endpoint` event that names where to POST,
 * then all messages of the server. Their `path` is that of the stream.
 */
export class EndpointStream implements Sink {
  readonly #ports: HttpPorts;
  readonly #session: HttpSession;
  readonly #ears: EndpointEars;
  #resolve: () => void = () => undefined;
  #reject: (error: ConnectError) => void = () => undefined;
  #exchange: Exchange | undefined;
  #events: EventStream | undefined;
  #refusal: { status: number; headers: ReplyHeaders; body: Body } | undefined;
  #timer: TimerId;
  #phase: "waiting" | "open" | "over" = "waiting";

  constructor(ports: HttpPorts, session: HttpSession, ears: EndpointEars) {
    this.#ports = ports;
    this.#session = session;
    this.#ears = ears;
  }

  /** Resolves when the endpoint is known; rejects with ConnectError. */
  start(timeoutMs: number): Promise<void> {
    const { wire, path, clock } = this.#ports;
    const outgoing = {
      method: "GET" as const,
      path,
      headers: this.#session.getHeaders(undefined),
      cookies: this.#session.cookies,
      repeatable: true,
    };
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#timer = clock.setTimeout(() => this.#expire(timeoutMs), timeoutMs);
      this.#exchange = new Exchange(wire, outgoing, this).start();
    });
  }

  stop(): void {
    this.#over({ kind: "stopping", message: `server "${this.#ports.server}" was closed` }, true);
  }

  head(status: number, headers: ReplyHeaders): void {
    if (status !== 200 || mediaType(headers) !== "text/event-stream") {
      this.#refusal = { status, headers, body: new Body(errorBodyBytes) };
      return;
    }
    this.#events = new EventStream(this.#ports.maxBytes, {
      message: (message) => this.#ports.deliver(message),
      noise: () => this.#ports.warn("stream-noise", "the event stream carries data that is no JSON"),
      oversize: () => this.#ports.warn("oversize", "a message was over the limit and was dropped"),
      other: (event, data) => event === "endpoint" && this.#found(data),
    });
  }

  data(chunk: Buffer): void {
    if (this.#events !== undefined) this.#events.write(chunk);
    else if (this.#refusal?.body.add(chunk) === false) this.#refused();
  }

  end(): void {
    if (this.#refusal !== undefined) return this.#refused();
    this.#events?.end();
    this.#over({ kind: "reset", message: `server "${this.#ports.server}" ended its event stream` });
  }

  fail(error: Error, progress: Progress): void {
    if (this.#refusal !== undefined) return this.#refused();
    this.#over(judgeFailure(error, progress, this.#ports.server, this.#ports.wire.way).cause);
  }

  refused(cause: Cause): void {
    this.#over(cause);
  }

  #found(endpoint: string): void {
    if (this.#phase !== "waiting") return;
    const { server, wire, path } = this.#ports;
    const base = wire.origin + path;
    const url = URL.canParse(endpoint, base) ? new URL(endpoint, base) : undefined;
    if (url?.origin !== wire.origin) {
      const message = `server "${server}" names an endpoint outside its own origin ${wire.origin}; it is not used`;
      return this.#over({ kind: "redirected", message });
    }
    this.#phase = "open";
    this.#ports.clock.clearTimeout(this.#timer);
    this.#ears.opened(url.pathname + url.search);
    this.#resolve();
  }

  #refused(): void {
    if (this.#refusal === undefined) return;
    const { status, headers, body } = this.#refusal;
    const { server, wire, path, clock } = this.#ports;
    const asked = { server, address: wire.origin + path, hadSession: false, now: clock.now() };
    const reply = { status, headers, text: body.text() };
    this.#over((status < 300 ? judgeOddBody(reply, asked) : judgeReply(reply, asked)).cause);
  }

  #expire(timeoutMs: number): void {
    const message = `server "${this.#ports.server}" sent no endpoint event within ${timeoutMs} ms; is it an HTTP+SSE server?`;
    this.#over({ kind: "connect-timeout", message });
  }

  #over(cause: Cause, isAsked = false): void {
    const before = this.#phase;
    if (before === "over") return;
    this.#phase = "over";
    this.#ports.clock.clearTimeout(this.#timer);
    this.#exchange?.abort();
    if (before === "waiting") this.#reject(new ConnectError(cause));
    else if (!isAsked) this.#ears.closed(cause);
  }
}
