import { type Cause, ConnectError } from "../../../errors.js";
import type { RequestId } from "../../../protocol/jsonrpc.js";
import type { Envelope, Loss, TransportHandlers } from "../../transport.js";
import type { ConversationOptions } from "../conversation.js";
import { RequestPost } from "./requestPost.js";
import { EndpointStream } from "./endpoint.js";
import { Gate } from "../gate.js";
import type { HttpPorts } from "../httpPorts.js";
import { mask } from "../mask.js";
import { NotificationPost } from "../notificationPost.js";
import { HttpSession, fixedHeaders } from "../session.js";

/** Everything that goes on over one HTTP+SSE transport: the stream of the server and the POSTs to its endpoint. */
export class SseConversation {
  readonly #handlers: TransportHandlers;
  readonly #secrets: readonly string[];
  readonly #session: HttpSession;
  readonly #stream: EndpointStream;
  readonly #requests = new Map<RequestId, RequestPost>();
  readonly #notifications = new Set<NotificationPost>();
  readonly #gate = new Gate();
  readonly #warned = new Set<string>();
  #ports: HttpPorts;
  #isOpen = false;

  constructor(options: ConversationOptions) {
    this.#handlers = options.handlers;
    this.#secrets = [...Object.values(options.target.headers), ...options.wire.secrets];
    this.#session = new HttpSession(fixedHeaders(options.target, options.userAgent));
    this.#ports = this.#portsFor(options);
    this.#stream = new EndpointStream(this.#ports, this.#session, {
      opened: (path) => {
        this.#ports = { ...this.#ports, path };
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
    this.#requests.get(id)?.stop();
    this.#requests.delete(id);
  }

  async end(): Promise<void> {
    this.#stop();
    this.#stream.stop();
    await this.#ports.wire.destroy();
  }

  #request(text: string, id: RequestId, method: string): void {
    const lost = (loss: Loss): void => this.#lose(id, loss);
    const request = new RequestPost(this.#ports, this.#session, { text, method, lost });
    this.#requests.set(id, request);
    this.#gate.pass(() => request.start());
  }

  #notify(text: string, about: Envelope): void {
    const isInitialized = about.method === "notifications/initialized";
    const notification = new NotificationPost(
      this.#ports,
      this.#session,
      text,
      { method: about.method },
      () => {
        this.#notifications.delete(notification);
        if (isInitialized) this.#gate.open();
      },
    );
    this.#notifications.add(notification);
    if (!isInitialized) return this.#gate.pass(() => this.#isOpen && notification.start());
    this.#gate.shut();
    notification.start();
  }

  #lose(id: RequestId, loss: Loss): void {
    // An answer that came on the stream wins over what its POST said afterwards.
    if (!this.#requests.delete(id) || !this.#isOpen) return;
    this.#handlers.onLost(id, { ...loss, cause: this.#masked(loss.cause) });
  }

  #closed(cause: Cause): void {
    if (!this.#isOpen) return;
    this.#stop();
    void this.#ports.wire.destroy();
    this.#handlers.onClosed(this.#masked(cause));
  }

  #stop(): void {
    this.#isOpen = false;
    for (const request of this.#requests.values()) request.stop();
    for (const notification of this.#notifications) notification.stop();
    this.#requests.clear();
  }

  #deliver(message: unknown): void {
    if (!this.#isOpen) return;
    const id = typeof message === "object" && message !== null && "id" in message ? message.id : undefined;
    if (typeof id === "number" || typeof id === "string") this.#requests.delete(id);
    this.#handlers.onMessage(message);
  }

  #masked(cause: Cause): Cause {
    return { ...cause, message: mask(cause.message, this.#secrets) };
  }

  #portsFor({ id, wire, path, clock, limits }: ConversationOptions): HttpPorts {
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
