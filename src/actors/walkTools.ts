import type { Channel } from "../rpc/channel.js";
import { listAll } from "../rpc/listing.js";
import type { Listing } from "../rpc/listing.js";
import type { Life } from "./life.js";
import type { LifePorts } from "./lifePorts.js";

export interface Walk {
  readonly signal: AbortSignal | undefined;
  /** Monotonic ms. */
  readonly dueAt: number;
  /** A walk that fails half-way is better than none. */
  readonly keepPartial: boolean;
}

/** All tools of a server; without the tools capability the list is empty and nothing is asked. Rejects with ConnectError. */
export async function walkTools(
  { session, spec, who }: Life,
  channel: Channel,
  { deadlines, recogniser }: LifePorts,
  { signal, dueAt, keepPartial }: Walk,
): Promise<Listing> {
  if (session === undefined || !("tools" in session.capabilities)) return { items: [], warnings: [] };
  return listAll(channel, "tools/list", "tools", {
    dueAt,
    deadlines,
    ...(signal === undefined ? {} : { signal }),
    limits: spec.limits,
    who,
    keepPartial,
    known: recogniser(),
  });
}
