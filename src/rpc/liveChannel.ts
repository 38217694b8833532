import type { Cause, Sent } from "../errors.js";
import type { Codec } from "../protocol/codec.js";
import { answerText } from "../protocol/codec.js";
import { classify } from "../protocol/jsonrpc.js";
import type { JsonRpcError, RequestId } from "../protocol/jsonrpc.js";
import { quoted } from "../protocol/visible.js";
import type { Loss, Transport, TransportHandlers } from "../transport/transport.js";
import { GivenUp } from "./givenUp.js";
import type { Channel } from "./channel.js";
import type { ChannelHooks } from "./hooks.js";
import { OpenRequests } from "./openRequests.js";
import type { PendingRequest } from "./pending.js";
import { Followed, readProgress } from "./progress.js";
import { SessionRenewal } from "./sessionRenewal.js";

/** Opens the conversation; `transport.open` is called here and rejects with ConnectError. */
export async function openChannel(transport: Transport, codec: Codec, hooks: ChannelHooks): Promise<Channel> {
  const channel = new LiveChannel(transport, codec, hooks);
  await transport.open(channel);
  return channel;
}

class LiveChannel implements Channel, TransportHandlers {
  codec: Codec;
  readonly transport: Transport;
  heard = 0;
  open = true;
  readonly #hooks: ChannelHooks;
  readonly #pending = new OpenRequests();
  readonly #givenUp = new GivenUp();
  /** Answered requests whose progress still counts. */
  readonly #followed = new Followed();
  #lastId = 0;
  readonly #renewal: SessionRenewal;

  constructor(transport: Transport, codec: Codec, hooks: ChannelHooks) {
    this.transport = transport;
    this.codec = codec;
    this.#hooks = hooks;
    this.#renewal = new SessionRenewal(this, () => hooks.renewSession());
  }

  get pending(): number {
    return this.#pending.size;
  }

  send(request: PendingRequest): Cause | undefined {
    // Numbered from 1: some servers test the id as a truth value.
    const id = ++this.#lastId;
    request.id = id;
    const text = request.encode(id);
    const about =
      request.headers === undefined
        ? { method: request.method, id }
        : { method: request.method, id, headers: request.headers };
    this.#pending.set(id, request);
    const position = this.transport.send(text, about);
    if (typeof position === "number") {
      request.position = position;
      return undefined;
    }
    this.#pending.take(id);
    return position;
  }

  notify(method: string, params?: object): void {
    this.transport.send(this.codec.notification(method, params), { method });
  }

  follow(request: PendingRequest): void {
    this.#followed.add(request);
  }

  requests(): Iterable<PendingRequest> {
    return this.#pending.values();
  }

  giveUp(request: PendingRequest, reason: string, tellServer: boolean): void {
    if (this.#pending.take(request.id) === undefined || !this.open) return;
    this.#givenUp.add(request.id);
    if (tellServer && (!this.codec.modern || this.transport.kind === "stdio")) {
      this.notify("notifications/cancelled", { requestId: request.id, reason });
    }
    this.transport.abandon(request.id);
  }

  onMessage(value: unknown, on?: RequestId): void {
    const message = classify(value);
    if (message.kind === "odd")
      return this.#hooks.onWarning("odd-message", `a message came that is no JSON-RPC: ${message.why}`);
    this.heard++;
    switch (message.kind) {
      case "result":
        return this.#take(message.id)?.settle(message);
      case "error":
        return this.#failed(message.id, message.error);
      case "request":
        return this.#asked(message.id, message.method, message.params, this.#pending.of(on));
      case "notification":
        if (message.method === "notifications/progress") return this.#progressed(message.params);
        return this.#hooks.onNotification(message.method, message.params, this.#pending.of(on));
    }
  }

  onLost(id: RequestId, loss: Loss): void {
    const request = this.#settled(id);
    if (request === undefined) return;
    if (loss.error !== undefined) return request.settle({ kind: "error", error: loss.error });
    if (
      loss.cause.kind === "session-lost" &&
      loss.sent === "no" &&
      request.resends === 0 &&
      request.method !== "initialize"
    ) {
      void this.#renewal.resend(request, loss.superseded === true);
      return;
    }
    request.settle({ kind: "lost", sent: loss.sent, cause: loss.cause });
  }

  onClosed(cause: Cause): void {
    if (!this.open) return;
    this.end(cause);
    this.#hooks.onClosed(cause);
  }

  end(cause: Cause): void {
    if (!this.open) return;
    this.open = false;
    const delivered = this.transport.deliveredUpTo();
    const lost = this.#pending.values();
    this.#pending.clear();
    for (const request of lost)
      request.settle({ kind: "lost", sent: sentOf(request.position, delivered), cause });
  }

  onWarning(kind: string, message: string): void {
    this.#hooks.onWarning(kind, message);
  }

  #take(id: RequestId): PendingRequest | undefined {
    const request = this.#settled(id);
    if (request === undefined && !this.#givenUp.take(id)) {
      const last = quoted(JSON.stringify(id));
      this.#hooks.onWarning("unknown-id", `answers with an unknown id arrived (last: ${last})`);
    }
    return request;
  }

  /** The open request that this id means; it is open no more. */
  #settled(id: RequestId): PendingRequest | undefined {
    if (typeof id === "number") return this.#pending.take(id);
    const request = this.#lenient(id);
    return request === undefined ? undefined : this.#pending.take(request.id);
  }

  /** Several servers give "7" for 7; anything that is not the canonical text of an open id stays unknown. */
  #lenient(id: RequestId): PendingRequest | undefined {
    if (typeof id !== "string") return undefined;
    const request = this.#meant(id);
    if (request !== undefined) this.#hooks.onWarning("string-ids", "the server returns request ids as text");
    return request;
  }

  /** The open request whose id this text spells. */
  #meant(id: string): PendingRequest | undefined {
    return /^[1-9]\d{0,15}$/.test(id) ? this.#pending.get(Number(id)) : undefined;
  }

  #failed(id: RequestId | null, error: JsonRpcError): void {
    if (id !== null) return this.#take(id)?.settle({ kind: "error", error });
    // An unreadable request is answered without an id: with one request open there is no doubt which one.
    this.#hooks.onWarning(
      "error-without-id",
      `the server sent an error without an id: ${quoted(error.message)}`,
    );
    const [only, other] = [...this.#pending.values()].filter(
      ({ method }) => method !== "subscriptions/listen",
    );
    if (only === undefined || other !== undefined) return;
    this.#pending.take(only.id);
    only.settle({ kind: "error", error });
  }

  #asked(id: RequestId, method: string, params: unknown, about?: PendingRequest): void {
    // 2026-07-28 forbids responses to a server; its requests are dropped.
    if (this.codec.modern)
      return this.#hooks.onWarning(
        "server-request",
        `the server sent a request (${method}) that its revision forbids`,
      );
    if (method === "ping") return this.#answer(id, { result: {} });
    const answer = this.#hooks.onRequest(method, params, id, about);
    if (answer === undefined) {
      return this.#answer(id, { error: { code: -32601, message: `Method not found: ${method}` } });
    }
    void answer.then(
      (body) => this.#answer(id, body),
      () => this.#answer(id, { error: { code: -32603, message: "the client could not answer" } }),
    );
  }

  #answer(id: RequestId, body: { result: unknown } | { error: JsonRpcError }): void {
    if (this.open) this.transport.send(answerText(id, body), { method: "" });
  }

  #progressed(params: unknown): void {
    const read = readProgress(params);
    if (read === undefined) return;
    const { token, note } = read;
    const known = typeof token === "number" ? this.#pending.get(token) : this.#meant(token);
    (known ?? this.#followed.get(Number(token)))?.progress?.(note);
  }
}

function sentOf(position: number, delivered: number): Sent {
  return position <= delivered ? "yes" : "unknown";
}
