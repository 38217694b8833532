import { type Cause, ConnectError } from "../../errors.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import type { Envelope, Loss, TransportHandlers } from "../transport.js";
import type { ConversationOptions } from "./conversation.js";
import { Delivery } from "./delivery.js";
import { EndpointStream } from "./endpoint.js";
import { Gate } from "./gate.js";
import type { Host } from "./host.js";
import { mask } from "./mask.js";
import { Notice } from "./notice.js";
import { HttpSession, fixedHeaders } from "./session.js";

/** Everything that goes on over one HTTP+SSE transport: the stream of the server and the POSTs to its endpoint. */
export class Mailbox {
  readonly #handlers: TransportHandlers;
  readonly #secrets: readonly string[];
  readonly #session: HttpSession;
  readonly #stream: EndpointStream;
  readonly #deliveries = new Map<RequestId, Delivery>();
  readonly #notices = new Set<Notice>();
  readonly #gate = new Gate();
  readonly #warned = new Set<string>();
  #host: Host;
  #isOpen = false;

  constructor(options: ConversationOptions) {
    this.#handlers = options.handlers;
    this.#secrets = Object.values(options.target.headers);
    this.#session = new HttpSession(fixedHeaders(options.target, options.userAgent));
    this.#host = this.#hostFor(options);
    this.#stream = new EndpointStream(this.#host, this.#session, {
      opened: (path) => {
        this.#host = { ...this.#host, path };
        this.#isOpen = true;
      },
      closed: (cause) => this.#closed(cause),
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the endpoint is known; rejects with ConnectError. */
  async open(timeoutMs: number): Promise<void> {
    try {
      await this.#stream.start(timeoutMs);
    } catch (error) {
      await this.end();
      throw error instanceof ConnectError ? new ConnectError(this.#masked(error.info)) : error;
    }
  }

  send(text: string, about: Envelope): void {
    if (about.id === undefined) this.#notify(text, about);
    else this.#request(text, about.id, about.method);
  }

  abandon(id: RequestId): void {
    this.#deliveries.get(id)?.stop();
    this.#deliveries.delete(id);
  }

  async end(): Promise<void> {
    this.#stop();
    this.#stream.stop();
    await this.#host.wire.destroy();
  }

  #request(text: string, id: RequestId, method: string): void {
    const lost = (loss: Loss): void => this.#lose(id, loss);
    const delivery = new Delivery(this.#host, this.#session, { text, method, lost });
    this.#deliveries.set(id, delivery);
    this.#gate.pass(() => delivery.start());
  }

  #notify(text: string, about: Envelope): void {
    const isInitialized = about.method === "notifications/initialized";
    const notice = new Notice(this.#host, this.#session, text, { method: about.method }, () => {
      this.#notices.delete(notice);
      if (isInitialized) this.#gate.open();
    });
    this.#notices.add(notice);
    if (!isInitialized) return this.#gate.pass(() => this.#isOpen && notice.start());
    this.#gate.shut();
    notice.start();
  }

  #lose(id: RequestId, loss: Loss): void {
    // An answer that came on the stream wins over what its POST said afterwards.
    if (!this.#deliveries.delete(id) || !this.#isOpen) return;
    this.#handlers.onLost(id, { ...loss, cause: this.#masked(loss.cause) });
  }

  #closed(cause: Cause): void {
    if (!this.#isOpen) return;
    this.#stop();
    void this.#host.wire.destroy();
    this.#handlers.onClosed(this.#masked(cause));
  }

  #stop(): void {
    this.#isOpen = false;
    for (const delivery of this.#deliveries.values()) delivery.stop();
    for (const notice of this.#notices) notice.stop();
    this.#deliveries.clear();
  }

  #deliver(message: unknown): void {
    if (!this.#isOpen) return;
    const id = typeof message === "object" && message !== null && "id" in message ? message.id : undefined;
    if (typeof id === "number" || typeof id === "string") this.#deliveries.delete(id);
    this.#handlers.onMessage(message);
  }

  #masked(cause: Cause): Cause {
    return { ...cause, message: mask(cause.message, this.#secrets) };
  }

  #hostFor({ id, wire, path, clock, limits }: ConversationOptions): Host {
    return {
      server: id,
      wire,
      path,
      clock,
      maxBytes: limits.messageBytes,
      deliver: (message) => this.#deliver(message),
      settled: () => undefined,
      sessionLost: () => false,
      warn: (kind, message) => {
        if (this.#warned.has(kind)) return;
        this.#warned.add(kind);
        this.#handlers.onWarning(kind, mask(`server "${id}": ${message}`, this.#secrets));
      },
    };
  }
}
