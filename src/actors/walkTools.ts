import { elapsedOf } from "../clock.js";
import type { Channel } from "../rpc/channel.js";
import { listAll } from "../rpc/listing.js";
import type { Listing } from "../rpc/listing.js";
import { request } from "../rpc/request.js";
import type { Life } from "./life.js";
import type { LifePorts } from "./lifePorts.js";

export interface Walk {
  readonly signal: AbortSignal | undefined;
  /** Monotonic ms. */
  readonly dueAt: number;
  /** A walk that fails half-way is better than none. */
  readonly keepPartial: boolean;
}

/** How long a server that claims to offer nothing has to answer whether it has tools all the same. */
const doubtMs = 2_000;

/**
 * All tools of a server. Without the tools capability the list is empty; only one that claims to offer nothing at all is
 * asked once, because then something is wrong with its claim. Rejects with ConnectError.
 */
export async function walkTools(
  life: Life,
  channel: Channel,
  ports: LifePorts,
  walk: Walk,
): Promise<Listing> {
  const { session, spec, who } = life;
  const { deadlines, recogniser } = ports;
  const { signal, dueAt, keepPartial } = walk;
  if (session === undefined) return { items: [], warnings: [] };
  if (!("tools" in session.capabilities)) return doubted(life, channel, ports, walk);
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

/** A server without the tools capability: what is wrong with that claim, if anything. */
async function doubted(
  { session, who }: Life,
  channel: Channel,
  { clock, deadlines }: LifePorts,
  { signal, dueAt }: Walk,
): Promise<Listing> {
  const offered = Object.keys(session?.capabilities ?? {}).filter((each) =>
    /^(resources|prompts)$/.test(each),
  );
  if (offered.length > 0 || channel.codec.modern) return { items: [], warnings: [] };
  const limit = Math.min(dueAt, elapsedOf(clock) + doubtMs);
  const reply = await request(channel, "tools/list", undefined, {
    dueAt: limit,
    deadlines,
    ...(signal === undefined ? {} : { signal }),
  });
  const tools =
    reply.kind === "result" ? (reply.result as { tools?: unknown } | undefined)?.tools : undefined;
  if (!Array.isArray(tools) || tools.length === 0) return { items: [], warnings: [] };
  const warning =
    `${who} lists ${tools.length} tools when it is asked, but says in the handshake that it has none ` +
    "(no tools capability), so none is offered; its author has to declare the capability";
  return { items: [], warnings: [warning] };
}
