import type { Life } from "../../actors/life.js";
import { elapsedOf } from "../../clock.js";
import { isRecord } from "../../protocol/serverInfo.js";
import { ConnectError } from "../../errors.js";
import { listAll } from "../../rpc/listing.js";
import type { Listing } from "../../rpc/listing.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** A list that a server may offer besides its tools. */
export interface ListKind {
  readonly method: string;
  readonly field: string;
  readonly capability: string;
  /** Whether an item is well-formed; others are left out. */
  readonly isItem: (item: unknown) => boolean;
}

interface Kept {
  readonly listing: Listing;
  /** Monotonic ms. */
  readonly freshUntil: number;
}

// A clock or a server may be wrong: nothing is taken for fresh longer than a day.
const longestTtlMs = 86_400_000;

/** The lists of one session, each kept while it is fresh (MCP 2026-07-28, caching). */
export class ListCache {
  readonly #kept = new Map<string, Kept>();
  readonly #walks = new Map<string, Promise<Listing>>();

  /** Rejects with ConnectError; a list that the server declared but does not have is empty, with one warning. */
  async list(kind: ListKind, life: Life, record: ServerRecord, shared: SharedState): Promise<Listing> {
    if (!isRecord(life.session?.capabilities[kind.capability])) return { items: [], warnings: [] };
    const kept = this.#kept.get(kind.method);
    if (kept !== undefined && elapsedOf(shared.clock) < kept.freshUntil) return kept.listing;
    const running = this.#walks.get(kind.method);
    if (running !== undefined) return running;
    const walk = this.#walk(kind, life, record, shared).finally(() => this.#walks.delete(kind.method));
    this.#walks.set(kind.method, walk);
    return walk;
  }

  /** The server told a change: the lists behind this capability are stale. */
  changed(capability: string): void {
    for (const method of this.#kept.keys())
      if (method.startsWith(`${capability}/`)) this.#kept.delete(method);
  }

  async #walk(kind: ListKind, life: Life, record: ServerRecord, shared: SharedState): Promise<Listing> {
    const { method, field, isItem, capability } = kind;
    const began = elapsedOf(shared.clock);
    const channel = life.conversation();
    const { limits, callTimeoutMs, name } = record.spec;
    let listing: Listing;
    let ttlMs: number;
    try {
      listing = await listAll(channel, method, field, {
        dueAt: began + callTimeoutMs,
        deadlines: shared.deadlines,
        limits,
        who: `server "${name}"`,
      });
      ttlMs = channel.codec.modern ? (listing.ttlMs ?? 0) : legacyTtl(life, capability);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const warning = `it declares ${capability} but does not know ${method}`;
      record.warnings.set(`missing:${method}`, warning);
      listing = { items: [], warnings: [warning] };
      ttlMs = Infinity;
    }
    const clean = { ...listing, items: listing.items.filter(isItem) };
    const freshUntil = began + (ttlMs === Infinity ? ttlMs : Math.min(Math.max(ttlMs, 0), longestTtlMs));
    this.#kept.set(method, { listing: clean, freshUntil });
    return clean;
  }
}

/** A legacy server that tells changes keeps its list fresh until it does; any other is asked each time. */
function legacyTtl(life: Life, capability: string): number {
  const declared = life.session?.capabilities[capability];
  return isRecord(declared) && declared["listChanged"] === true ? longestTtlMs : 0;
}

function isMissing(error: unknown): boolean {
  return error instanceof ConnectError && error.info.rpcCode === -32_601;
}
