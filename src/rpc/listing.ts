import { ConnectError } from "../errors.js";
import type { Cause } from "../errors.js";
import type { Limits } from "../spec.js";
import { resultTypeOf } from "../protocol/rounds.js";
import { quoted } from "../protocol/visible.js";
import type { Channel } from "./channel.js";
import type { Deadlines } from "./deadlines.js";
import type { Reply } from "./pending.js";
import { request } from "./request.js";

export interface ListingOptions {
  readonly dueAt: number;
  readonly deadlines: Deadlines;
  readonly signal?: AbortSignal;
  readonly limits: Pick<Limits, "pages" | "tools">;
  readonly who: string;
  /** Take what can be had of a walk that fails or brings no list; otherwise that rejects, and the list before it stays. */
  readonly keepPartial?: boolean;
  /** The object to hold on to for an item: an equal one of an earlier list where there is one. */
  readonly known?: (item: unknown) => unknown;
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
 * starts over once. Rejects with ConnectError when the first page cannot be had, or a later one unless `keepPartial`.
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
      const cause = failureOf(reply, method, options.who);
      if (reply.kind !== "error" || page === 1 || options.keepPartial !== true) throw new ConnectError(cause);
      walk.warnings.push(`${cause.message}; only the ${page - 1} pages before it are known`);
      break;
    }
    const result = (typeof reply.result === "object" && reply.result !== null ? reply.result : {}) as Record<
      string,
      unknown
    >;
    const type = channel.codec.modern ? resultTypeOf(result) : "complete";
    if (type !== "complete") {
      const message = `${options.who}: ${method} was answered with a result of type ${type.slice(0, 60)}`;
      throw new ConnectError({ kind: "list-failed", message });
    }
    const items: unknown = result[field];
    const missing = `${method} page ${page} holds no list named ${field}`;
    if (Array.isArray(items)) for (const item of items) walk.items.push(options.known?.(item) ?? item);
    else if (options.keepPartial === true) walk.warnings.push(missing);
    else throw new ConnectError({ kind: "list-failed", message: `${options.who}: ${missing}` });
    if (typeof result["ttlMs"] === "number") ttlMs = result["ttlMs"];
    const next: unknown = result["nextCursor"];
    const stop = whyStop(walk, next, page, field, options.limits);
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

function failureOf(reply: Exclude<Reply, { kind: "result" }>, method: string, who: string): Cause {
  if (reply.kind === "lost" || reply.kind === "refused") return reply.cause;
  const why =
    reply.kind === "error" ? `${quoted(reply.error.message)} (code ${reply.error.code})` : reply.kind;
  const code = reply.kind === "error" ? { rpcCode: reply.error.code } : {};
  return { kind: "list-failed", message: `${who}: ${method} failed: ${why}`, ...code };
}

function whyStop(
  walk: { items: unknown[]; seen: Set<string> },
  next: unknown,
  page: number,
  field: string,
  limits: ListingOptions["limits"],
): string | undefined {
  if (walk.items.length > limits.tools)
    return `too many ${field}: more than ${limits.tools}; what is over is dropped (limits.tools)`;
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
