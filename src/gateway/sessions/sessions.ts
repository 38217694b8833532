import { createHash } from "node:crypto";
import type { Consumer } from "../consumers/consumer.js";
import type { Core } from "../requests/core.js";
import { isRecord, legacyRevisions } from "../contract/protocol.js";
import type { Seal } from "../consumers/seal.js";
import { LegacySession } from "./session.js";
import type { Agreed } from "./session.js";

const idleMs = 3_600_000;
const sweepMs = 300_000;
const mostEnded = 10_000;

/**
 * The legacy sessions of HTTP consumers. An id holds, sealed, what was agreed on: after a restart of the service the next
 * request makes the session again. An id of another consumer, another token or another path is an unknown one.
 */
export class Sessions {
  readonly #core: Core;
  readonly #seal: Seal;
  readonly #known = new Map<string, LegacySession>();
  /** Ids that were ended by their owner; a seal alone would bring them back. */
  readonly #ended = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(core: Core, seal: Seal) {
    this.#core = core;
    this.#seal = seal;
    this.#timer = setInterval(() => this.#sweep(Date.now()), sweepMs).unref();
  }

  get size(): number {
    return this.#known.size;
  }

  /** Undefined when the consumer has too many. */
  begin(
    consumer: Consumer,
    only: string | undefined,
    agreed: Agreed,
  ): { id: string; session: LegacySession } | undefined {
    if (!consumer.meter.take("sessions")) return undefined;
    const { revision, capabilities, client } = agreed;
    const id = this.#seal.close(purposeOf(consumer, only), {
      r: revision,
      c: capabilities,
      h: client,
      t: Date.now(),
    });
    return { id, session: this.#add(id, consumer, only, agreed) };
  }

  find(consumer: Consumer, only: string | undefined, id: string): LegacySession | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known.consumer === consumer && known.only === only ? known : undefined;
    if (this.#ended.has(short(id))) return undefined;
    const content = this.#seal.open(purposeOf(consumer, only), id);
    if (!isRecord(content) || !legacyRevisions.includes(String(content["r"]))) return undefined;
    if (!consumer.meter.take("sessions")) return undefined;
    const { r, c, h } = content;
    const agreed = {
      revision: String(r),
      capabilities: isRecord(c) ? c : {},
      client: typeof h === "string" ? h : "",
    };
    const session = this.#add(id, consumer, only, agreed);
    session.restored();
    return session;
  }

  /** The consumer takes leave. */
  end(id: string): void {
    if (this.#ended.size >= mostEnded) this.#ended.delete(this.#ended.values().next().value ?? "");
    this.#ended.add(short(id));
    this.#known.get(id)?.end();
  }

  endOf(consumer: Consumer): void {
    for (const session of this.#known.values()) if (session.consumer === consumer) session.end();
  }

  list(): readonly LegacySession[] {
    return [...this.#known.values()];
  }

  close(): void {
    clearInterval(this.#timer);
    for (const session of this.#known.values()) session.end();
  }

  #add(id: string, consumer: Consumer, only: string | undefined, agreed: Agreed): LegacySession {
    const session = new LegacySession(this.#core, consumer, only, agreed, short(id), () => {
      if (this.#known.delete(id)) consumer.meter.give("sessions");
    });
    this.#known.set(id, session);
    return session;
  }

  /** What is idle is forgotten here, not ended: its id brings it back. */
  #sweep(now: number): void {
    for (const session of this.#known.values()) {
      const isIdle = !session.hasStream && session.running.size === 0 && session.subscriptions.size === 0;
      if (isIdle && now - session.usedAt > idleMs) session.end();
    }
  }
}

function purposeOf({ name, epoch }: Consumer, only: string | undefined): string {
  return `session:${name}:${epoch}:${only ?? ""}`;
}

/** Names a session in facts without giving it away. */
function short(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 12);
}
