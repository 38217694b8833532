import type { Fact } from "../../index.js";

/** Which facts a reader wants: empty lists mean all. A type matches itself and what is below it (`mcp.call`). */
export interface FeedFilter {
  readonly servers: readonly string[];
  readonly types: readonly string[];
}

// The journal hands out the same objects again and again: each fact is encoded once, whoever reads it.
const encoded = new WeakMap<Fact, Buffer>();

/** A fact as one server-sent event; its `id` is the sequence number. */
export function factFrame(fact: Fact): Buffer {
  const known = encoded.get(fact);
  if (known !== undefined) return known;
  const frame = Buffer.from(`id: ${fact.seq}\nevent: ${fact.type}\ndata: ${JSON.stringify(fact)}\n\n`);
  encoded.set(fact, frame);
  return frame;
}

/** An event of the feed itself (`hello`, `reset`): it has no id, so it never moves the reader's place. */
export function controlFrame(event: string, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

export function matches(fact: Fact, filter: FeedFilter): boolean {
  const { servers, types } = filter;
  const server = "id" in fact ? fact.id : undefined;
  if (servers.length > 0 && (server === undefined || !servers.includes(server))) return false;
  return types.length === 0 || types.some((type) => fact.type === type || fact.type.startsWith(`${type}.`));
}
