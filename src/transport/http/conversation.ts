import type { Clock } from "../../clock.js";
import type { Cause, CauseKind } from "../../errors.js";
import type { HttpTarget, Limits } from "../../spec.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import type { Envelope, Loss, TransportHandlers } from "../transport.js";
import { deleteSession } from "./deleteSession.js";
import { Gate } from "./gate.js";
import type { HttpPorts } from "./httpPorts.js";
import { Listener } from "./listener.js";
import { mask } from "./mask.js";
import { NotificationPost } from "./notificationPost.js";
import { Request } from "./request.js";
import { HttpSession, fixedHeaders } from "./session.js";
import type { Wire } from "./connect/wire.js";

export interface ConversationOptions {
  readonly id: string;
  readonly target: HttpTarget;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly userAgent?: string;
  readonly wire: Wire;
  readonly path: string;
  readonly handlers: TransportHandlers;
}

/** Everything that goes on over one open HTTP transport: the session of now, its running exchanges, its listening stream. */
export class Conversation {
  readonly #ports: HttpPorts;
  readonly #handlers: TransportHandlers;
  readonly #fixed: readonly string[];
  readonly #secrets: readonly string[];
  readonly #requests = new Map<RequestId, Request>();
  readonly #notifications = new Set<NotificationPost>();
  readonly #gate = new Gate();
  readonly #warned = new Set<string>();
  #session: HttpSession;
  #listener: Listener | undefined;
  #ended: Promise<boolean> | undefined;
  #isEnded = false;
  /** No token is good for this server: nothing more is sent, and the end of what runs is the end of all. */
  #unauthorized: Cause | undefined;

  constructor(options: ConversationOptions) {
    this.#handlers = options.handlers;
    this.#secrets = [...Object.values(options.target.headers), ...options.wire.secrets];
    this.#fixed = fixedHeaders(options.target, options.userAgent);
    this.#session = new HttpSession(this.#fixed);
    this.#ports = this.#portsFor(options);
  }

  send(text: string, about: Envelope): void {
    if (about.method === "initialize") this.#beginAnew();
    const session = this.#session;
    const { id } = about;
    if (id === undefined) return this.#notify(session, text, about);
    const unauthorized = this.#unauthorized;
    if (unauthorized !== undefined)
      return queueMicrotask(() => this.#lose(id, { sent: "no", cause: unauthorized }));
    if (session.isDead) return queueMicrotask(() => this.#lose(id, deadSession(this.#ports.server)));
    const request = new Request(this.#ports, session, id, text, about);
    this.#requests.set(id, request);
    if (about.method === "initialize") request.start();
    else this.#gate.pass(() => request.start());
  }

  /** The server has given out a session id, and keeps what belongs to it. */
  get hasSession(): boolean {
    return this.#session.id !== undefined;
  }

  abandon(id: RequestId): void {
    this.#requests.get(id)?.abandon();
    this.#requests.delete(id);
  }

  agreed(version: string): void {
    this.#session.agreed(version);
  }

  listen(): void {
    this.#listener?.stop();
    this.#listener = undefined;
    if (this.#session.isModern || this.#isEnded) return;
    this.#listener = new Listener(this.#ports, this.#session);
    this.#listener.start();
  }

  /** Ends everything, the session last; resolves whether the server took leave in time. */
  end(timeoutMs: number): Promise<boolean> {
    this.#ended ??= this.#takeLeave(timeoutMs);
    return this.#ended;
  }

  kill(): void {
    this.#stop();
    for (const notification of this.#notifications) notification.stop();
    void this.#ports.wire.destroy();
  }

  async #takeLeave(timeoutMs: number): Promise<boolean> {
    this.#stop();
    const inTime = await deleteSession(this.#ports, this.#session, timeoutMs);
    for (const notification of this.#notifications) notification.stop();
    await this.#ports.wire.destroy();
    return inTime;
  }

  #stop(): void {
    this.#isEnded = true;
    this.#listener?.stop();
    for (const request of this.#requests.values()) request.abandon();
    this.#requests.clear();
  }

  /**
   * A new handshake: the old session id is not for it, and its listening stream ends. Running requests go on; new ones
   * wait for the end of a handshake that replaces a dead session, since they would go out without any.
   */
  #beginAnew(): void {
    if (this.#session.isDead) this.#gate.shut();
    this.#listener?.stop();
    this.#listener = undefined;
    this.#session = new HttpSession(this.#fixed);
  }

  #notify(session: HttpSession, text: string, about: Envelope): void {
    if (session.isDead) return;
    const isInitialized = about.method === "notifications/initialized";
    const notification = new NotificationPost(this.#ports, session, text, about, () => {
      this.#notifications.delete(notification);
      if (isInitialized) this.#gate.open();
    });
    this.#notifications.add(notification);
    if (!isInitialized) return this.#gate.pass(() => !this.#isEnded && notification.start());
    this.#gate.shut();
    notification.start();
  }

  #lose(id: RequestId, loss: Loss): void {
    if (this.#isEnded) return;
    const message = mask(loss.cause.message, this.#hidden());
    this.#handlers.onLost(id, { ...loss, cause: { ...loss.cause, message } });
    // One answer of a server that has served without any token costs its own call alone.
    if (needsPerson.has(loss.cause.kind) && this.#ports.wire.hasSentToken) this.#unauthorized ??= loss.cause;
    if (this.#unauthorized === undefined || this.#requests.size > 0) return;
    const cause = this.#unauthorized;
    queueMicrotask(() => !this.#isEnded && this.#handlers.onClosed(cause));
  }

  /** What no message may hold. */
  #hidden(): (string | undefined)[] {
    return [...this.#secrets, this.#session.id, ...this.#session.cookies.values()];
  }

  #portsFor({ id, wire, path, clock, limits }: ConversationOptions): HttpPorts {
    return {
      server: id,
      wire,
      path,
      clock,
      maxBytes: limits.messageBytes,
      deliver: (message, on) => {
        if (!this.#isEnded) this.#handlers.onMessage(message, on);
      },
      settled: (request, loss) => {
        this.#requests.delete(request);
        if (loss !== undefined) this.#lose(request, loss);
      },
      warn: (kind, message) => {
        if (this.#isEnded || this.#warned.has(kind)) return;
        this.#warned.add(kind);
        this.#handlers.onWarning(kind, mask(`server "${id}": ${message}`, this.#hidden()));
      },
      sessionLost: (session) => {
        session.isDead = true;
        if (session !== this.#session) return true;
        this.#listener?.stop();
        return false;
      },
    };
  }
}

const needsPerson: ReadonlySet<CauseKind> = new Set<CauseKind>([
  "needs-authorization",
  "authorization-refused",
  "credentials-locked",
]);

function deadSession(server: string): Loss {
  return {
    sent: "no",
    cause: { kind: "session-lost", message: `server "${server}" no longer knows the session` },
  };
}
