import type { Session } from "../protocol/mcp.js";
import { changeFilter } from "../protocol/changes.js";
import { elapsedOf } from "../clock.js";
import type { Channel } from "../rpc/channel.js";
import { Subscription } from "../rpc/subscription.js";
import type { ChangeWatch } from "./life.js";
import type { LifePorts } from "./lifePorts.js";

/** A list that is asked for before the server listens may miss a change; this long it waits for that. */
const headStartMs = 250;

// However short the time, looking at the tools must not become polling; however long, a day is enough.
const leastMs = 10_000;
const mostMs = 86_400_000;

export interface ChangeHooks {
  /** The list of tools must be asked for again. */
  changed(): void;
  /** As if the server had sent this notification. */
  notified(method: string): void;
}

/** How one session hears of changes: by a subscription in the modern era; a legacy server tells by itself. */
export class Changes implements ChangeWatch {
  readonly #channel: Channel;
  readonly #session: Session;
  readonly #ports: LifePorts;
  readonly #changed: () => void;
  readonly #stale: (method: string) => void;
  #resources: Set<string> | undefined;
  #subscription: Subscription | undefined;
  #listened: (() => void)[] = [];
  #isListed = false;
  /** Monotonic ms. */
  #freshUntil = Infinity;

  constructor(channel: Channel, session: Session, ports: LifePorts, tell: ChangeHooks) {
    this.#channel = channel;
    this.#session = session;
    this.#ports = ports;
    this.#changed = () => tell.changed();
    this.#stale = (method) => tell.notified(method);
    this.#renew();
  }

  /** Resolves when the server listens, or after a moment; to be called before the first list. */
  async beforeList(): Promise<void> {
    const subscription = this.#subscription;
    if (!this.#isListed && subscription !== undefined && !subscription.isListening) await this.#headStart();
    this.#isListed = true;
  }

  /** The tools were listed; the server says how long they stay fresh. */
  listed(ttlMs: number | undefined): void {
    const isTold = this.#subscription?.isListening === true;
    const freshMs = isTold || ttlMs === undefined ? Infinity : Math.min(Math.max(ttlMs, leastMs), mostMs);
    this.#freshUntil = elapsedOf(this.#ports.clock) + freshMs;
  }

  /** Somebody looks at the tools: a list that nobody keeps fresh and whose time is over is asked for again. */
  used(): void {
    if (elapsedOf(this.#ports.clock) < this.#freshUntil) return;
    this.#freshUntil = Infinity;
    this.#changed();
  }

  /** Takes a notification; true when it was about the subscription alone. */
  notified(method: string, params: unknown): boolean {
    return this.#subscription?.notified(method, params) === true;
  }

  /** Watches one resource from now on, or no longer. Modern servers only. */
  watch(uri: string, on: boolean): void {
    if (on) (this.#resources ??= new Set()).add(uri);
    else this.#resources?.delete(uri);
    this.#renew();
  }

  stop(): void {
    this.#subscription?.stop();
    for (const go of this.#listened.splice(0)) go();
  }

  #renew(): void {
    const filter = this.#channel.codec.modern
      ? changeFilter(this.#session.capabilities, [...(this.#resources ?? [])])
      : undefined;
    if (filter === undefined) {
      this.#subscription?.stop();
      this.#subscription = undefined;
      return;
    }
    if (this.#subscription !== undefined) return this.#subscription.change(filter);
    const { clock, deadlines } = this.#ports;
    this.#subscription = new Subscription(this.#channel, {
      clock,
      deadlines,
      filter,
      onListening: (again) => this.#listening(again),
      onWarning: (message) => this.#ports.warn("listen", message),
    });
    this.#subscription.start();
  }

  /** What changed while nobody listened is not told again, so everything is stale now. */
  #listening(again: boolean): void {
    for (const go of this.#listened.splice(0)) go();
    if (!again && !this.#isListed) return;
    this.#changed();
    this.#stale("notifications/prompts/list_changed");
    this.#stale("notifications/resources/list_changed");
  }

  #headStart(): Promise<void> {
    const { clock, deadlines } = this.#ports;
    return new Promise((resolve) => {
      const limit = { dueAt: elapsedOf(clock) + headStartMs, expire: () => resolve() };
      deadlines.add(limit);
      this.#listened.push(() => {
        deadlines.remove(limit);
        resolve();
      });
    });
  }
}
