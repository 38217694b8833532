import type { Consumer } from "../consumers/consumer.js";
import type { Core } from "../requests/core.js";
import { cancel, cancelAll, dispatch } from "../requests/dispatch.js";
import type { Running } from "../requests/dispatch.js";
import { agreeOn } from "../sessions/initialize.js";
import type { Outlet } from "../contract/outlet.js";
import { LegacySession } from "../sessions/session.js";
import {
  answerText,
  codes,
  failed,
  isId,
  isRecord,
  meta,
  metaOf,
  modernRevision,
} from "../contract/protocol.js";
import type { Answer, RequestId } from "../contract/protocol.js";
import { isShallow } from "./body.js";
import { peerOf } from "./modernHttp.js";

/**
 * One consumer at the other end of a pipe: a JSON-RPC message a line. Its era is that of its first request: initialize
 * begins a legacy session, anything else of 2026-07-28 describes itself.
 */
export class LineConnection {
  readonly #core: Core;
  readonly #consumer: Consumer;
  readonly #only: string | undefined;
  readonly #send: (text: string) => void;
  readonly #running: Running = new Map();
  #session: LegacySession | undefined;
  #isOver = false;

  constructor(core: Core, consumer: Consumer, only: string | undefined, send: (text: string) => void) {
    this.#core = core;
    this.#consumer = consumer;
    this.#only = only;
    this.#send = send;
  }

  /** Takes one line; what is no message is answered, never a reason to end. */
  take(line: string): void {
    if (this.#isOver || line.trim() === "") return;
    let message: unknown;
    try {
      message = isShallow(line) ? JSON.parse(line) : undefined;
    } catch {
      return this.#refuse(null, failed(codes.parse, "the line is no JSON"));
    }
    // An array of messages is what 2025-03-26 alone has; over a pipe it is no more than its messages.
    if (Array.isArray(message)) for (const each of message.slice(0, 100)) this.#take(each);
    else this.#take(message);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    cancelAll(this.#running);
    this.#session?.end();
  }

  #take(message: unknown): void {
    if (!isRecord(message) || message["jsonrpc"] !== "2.0")
      return this.#refuse(null, failed(codes.invalidRequest, "the line is no JSON-RPC 2.0 message"));
    const { id, method, params } = message;
    if (typeof method === "string" && id !== undefined && !isId(id))
      return this.#refuse(null, failed(codes.invalidRequest, "the id is neither text nor number"));
    if (method === "initialize" && isId(id) && this.#session === undefined)
      return this.#initialize(id, params);
    if (this.#session !== undefined) return this.#session.take(message, this.#outlet);
    if (typeof method !== "string") return;
    if (id === undefined) {
      if (method === "notifications/cancelled") cancel(this.#running, params);
      return;
    }
    if (isId(id)) this.#serveModern(id, method, params);
  }

  #initialize(id: RequestId, params: unknown): void {
    const agreed = agreeOn(params, this.#core.fleet.title);
    if ("error" in agreed) return this.#refuse(id, agreed);
    const { meter } = this.#consumer;
    if (!meter.take("sessions"))
      return this.#refuse(id, failed(codes.limit, "the limit of this consumer is reached (sessions)"));
    this.#session = new LegacySession(this.#core, this.#consumer, this.#only, agreed, "line", () =>
      meter.give("sessions"),
    );
    this.#session.attach((text) => this.#write(text));
    this.#write(answerText(id, { result: this.#core.welcome(this.#session) }));
  }

  #serveModern(id: RequestId, method: string, params: unknown): void {
    const given = metaOf(params);
    const version = given[meta.version];
    const capabilities = given[meta.capabilities];
    if (method === "ping") return this.#write(answerText(id, { json: "{}" }));
    if (typeof version !== "string" || !isRecord(capabilities))
      return this.#refuse(
        id,
        failed(
          codes.invalidParams,
          "params._meta lacks protocolVersion or clientCapabilities; or begin with initialize",
        ),
      );
    if (version !== modernRevision)
      return this.#refuse(
        id,
        failed(codes.unsupportedVersion, `Unsupported protocol version: ${version.slice(0, 40)}`, {
          supported: [modernRevision],
          requested: version,
        }),
      );
    const peer = peerOf(this.#consumer, this.#only, params);
    dispatch(this.#core, peer, { id, method, params }, this.#running, this.#outlet);
  }

  #refuse(id: RequestId | null, answer: Answer): void {
    this.#write(answerText(id, answer));
  }

  #write(text: string): void {
    if (!this.#isOver) this.#send(text);
  }

  readonly #outlet: Outlet = {
    send: (text) => this.#write(text),
    answer: (text) => this.#write(text),
    drop: () => undefined,
  };
}
