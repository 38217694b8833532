import { ConnectError } from "../errors.js";
import type { Limits } from "../config/spec.js";
import type { Channel } from "./channel.js";
import type { Deadlines } from "./deadlines.js";
import { request } from "./request.js";

export interface ListingOptions {
  readonly dueAt: number;
  readonly deadlines: Deadlines;
  readonly signal?: AbortSignal;
  readonly limits: Pick<Limits, "pages" | "tools">;
  readonly who: string;
}

export interface Listing {
  readonly items: readonly unknown[];
  readonly warnings: readonly string[];
  /** Of a 2026-07-28 list result; milliseconds the list stays fresh. */
  readonly ttlMs?: number;
}

/**
 * Walks a paged list to its end (MCP, Pagination): opaque cursors, the empty string is one; a cursor that comes again,
 * too many pages or too many items end the walk with a warning that says what was dropped; an invalid cursor (-32602)
 * starts over once. Rejects with ConnectError when the first page cannot be had.
 */
export async function listAll(
  channel: Channel,
  method: string,
  field: string,
  options: ListingOptions,
): Promise<Listing> {
  const walk = {
    items: [] as unknown[],
    warnings: [] as string[],
    seen: new Set<string>(),
    restarted: false,
  };
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  for (let page = 1; ; page++) {
    const reply = await request(
      channel,
      method,
      cursor === undefined ? undefined : { cursor },
      requestOptions(options),
    );
    if (reply.kind === "error" && reply.error.code === -32602 && cursor !== undefined && !walk.restarted) {
      Object.assign(walk, { items: [], seen: new Set(), restarted: true });
      cursor = undefined;
      page = 0;
      continue;
    }
    if (reply.kind !== "result") {
      throw new ConnectError(
        reply.kind === "lost" || reply.kind === "refused"
          ? reply.cause
          : {
              kind: "list-failed",
              message: `${options.who}: ${method} failed: ${reply.kind === "error" ? `${reply.error.message} (code ${reply.error.code})` : reply.kind}`,
            },
      );
    }
    const result = (typeof reply.result === "object" && reply.result !== null ? reply.result : {}) as Record<
      string,
      unknown
    >;
    const items: unknown = result[field];
    if (Array.isArray(items)) for (const item of items) walk.items.push(item);
    else walk.warnings.push(`${method} page ${page} holds no list named ${field}`);
    if (typeof result["ttlMs"] === "number") ttlMs = result["ttlMs"];
    const next: unknown = result["nextCursor"];
    const stop = whyStop(walk, next, page, options.limits);
    if (stop !== undefined) walk.warnings.push(stop);
    if (stop !== undefined || typeof next !== "string") break;
    walk.seen.add(next);
    cursor = next;
  }
  return {
    items: walk.items.slice(0, options.limits.tools),
    warnings: walk.warnings,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  };
}

function whyStop(
  walk: { items: unknown[]; seen: Set<string> },
  next: unknown,
  page: number,
  limits: ListingOptions["limits"],
): string | undefined {
  if (walk.items.length > limits.tools)
    return `too many tools: more than ${limits.tools}; what is over is dropped (limits.tools)`;
  if (typeof next !== "string") return undefined;
  if (walk.seen.has(next))
    return `pagination loop: the cursor ${JSON.stringify(next.slice(0, 40))} came again`;
  if (page >= limits.pages) return `too many pages: stopped after ${limits.pages} (limits.pages)`;
  return undefined;
}

function requestOptions({ dueAt, deadlines, signal }: ListingOptions): {
  dueAt: number;
  deadlines: Deadlines;
  signal?: AbortSignal;
} {
  return signal === undefined ? { dueAt, deadlines } : { dueAt, deadlines, signal };
}
