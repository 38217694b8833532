import { elapsedOf } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ChangeFilter } from "../protocol/changes.js";
import { isRecord } from "../protocol/serverInfo.js";
import type { Channel } from "./channel.js";
import type { Dated, Deadlines } from "./deadlines.js";
import type { PendingRequest, Reply } from "./pending.js";

export interface SubscriptionOptions {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly filter: ChangeFilter;
  /** The server listens to us: again says that changes may have been missed since the last time. */
  onListening(again: boolean): void;
  onWarning(message: string): void;
}

const ackMs = 10_000;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

/**
 * Keeps one `subscriptions/listen` open: waits for its acknowledgement, checks what the server honours, and opens it
 * again after 1 s, 2 s … 30 s when it ends, gracefully or not. A server that knows no such method is asked once.
 * Nothing here ends the connection. There is no limit on silence.
 */
export class Subscription {
  readonly #channel: Channel;
  readonly #options: SubscriptionOptions;
  readonly #wait: Dated;
  #filter: ChangeFilter;
  #listen: Listen | undefined;
  #failures = 0;
  #acknowledged = 0;
  #isStopped = false;

  constructor(channel: Channel, options: SubscriptionOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#filter = options.filter;
    this.#wait = { dueAt: Infinity, expire: () => this.#expired() };
  }

  /** Whether the server has acknowledged the subscription of now. */
  get isListening(): boolean {
    return this.#listen?.isAcknowledged === true;
  }

  start(): void {
    if (this.#isStopped || !this.#channel.open) return;
    const listen = new Listen(this.#channel, this.#filter, (reply) => this.#ended(listen, reply));
    this.#listen = listen;
    this.#limit(ackMs);
    const refused = this.#channel.send(listen);
    if (refused !== undefined) this.#ended(listen, { kind: "refused", cause: refused });
  }

  /** Asks for other changes from now on. */
  change(filter: ChangeFilter): void {
    this.#filter = filter;
    const old = this.#listen;
    this.#listen = undefined;
    if (old !== undefined) this.#channel.giveUp(old, "other changes are wanted", true);
    this.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#options.deadlines.remove(this.#wait);
    if (this.#listen !== undefined) this.#channel.giveUp(this.#listen, "no longer wanted", true);
    this.#listen = undefined;
  }

  /** Takes a notification of the server; true when it was about this subscription alone. */
  notified(method: string, params: unknown): boolean {
    const listen = this.#listen;
    if (listen === undefined) return false;
    if (method === "notifications/cancelled" && isRecord(params) && params["requestId"] === listen.id) {
      this.#channel.giveUp(listen, "", false);
      this.#ended(listen, undefined);
      return true;
    }
    if (method !== "notifications/subscriptions/acknowledged" || !isAbout(params, listen.id)) return false;
    this.#acknowledge(listen, isRecord(params) ? params["notifications"] : undefined);
    return true;
  }

  #acknowledge(listen: Listen, honoured: unknown): void {
    if (listen.isAcknowledged) return;
    listen.isAcknowledged = true;
    this.#failures = 0;
    this.#options.deadlines.remove(this.#wait);
    const missing = Object.keys(this.#filter).filter((each) => !isRecord(honoured) || !honoured[each]);
    if (missing.length > 0)
      this.#options.onWarning(
        `the server will not tell about ${missing.join(", ")}; changes show with the next list`,
      );
    this.#options.onListening(this.#acknowledged++ > 0);
  }

  #ended(listen: Listen, reply: Reply | undefined): void {
    if (this.#listen !== listen) return;
    this.#listen = undefined;
    this.#options.deadlines.remove(this.#wait);
    if (this.#isStopped || !this.#channel.open) return;
    if (isUnknownMethod(reply))
      return this.#options.onWarning("the server cannot be listened to; changes show with the next list");
    this.#limit(Math.min(firstWaitMs * 2 ** this.#failures++, longestWaitMs));
  }

  /** Either the acknowledgement did not come, or it is time to try again. */
  #expired(): void {
    const listen = this.#listen;
    if (listen === undefined) return this.start();
    this.#channel.giveUp(listen, "not acknowledged", true);
    this.#ended(listen, undefined);
  }

  #limit(ms: number): void {
    this.#wait.dueAt = elapsedOf(this.#options.clock) + ms;
    this.#options.deadlines.add(this.#wait);
  }
}

/** The one long request; its id is the id of the subscription. */
class Listen implements PendingRequest {
  id = 0;
  position = 0;
  // An exchange that broke is opened again here, with a wait.
  resends = 1;
  isAcknowledged = false;
  readonly method = "subscriptions/listen";
  readonly wantsProgress = false;
  readonly settle: (reply: Reply) => void;
  readonly #channel: Channel;
  readonly #filter: ChangeFilter;

  constructor(channel: Channel, filter: ChangeFilter, settle: (reply: Reply) => void) {
    this.#channel = channel;
    this.#filter = filter;
    this.settle = settle;
  }

  encode(id: number): string {
    return this.#channel.codec.request(id, this.method, { notifications: this.#filter }, false);
  }
}

function isAbout(params: unknown, id: number): boolean {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  return isRecord(meta) && String(meta["io.modelcontextprotocol/subscriptionId"]) === String(id);
}

function isUnknownMethod(reply: Reply | undefined): boolean {
  if (reply?.kind === "error") return reply.error.code === -32_601 || reply.error.code === -32_602;
  return reply?.kind === "lost" && reply.cause.kind === "http-error";
}
