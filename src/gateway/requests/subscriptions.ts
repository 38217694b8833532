import type { Fleet } from "../contract/door.js";
import { codes, failed } from "../contract/protocol.js";
import type { Answer } from "../contract/protocol.js";
import type { View } from "../view/view.js";

/**
 * Subscriptions of consumers to resources. The fleet holds one upstream subscription for all who watch the same resource,
 * ends it with the last one, and makes it anew with each life of its server.
 */
export async function subscribe(
  fleet: Fleet,
  view: View,
  uri: unknown,
  open: Map<string, () => void>,
  consumer: string,
  updated: (uri: string) => void,
): Promise<Answer> {
  const target = typeof uri === "string" ? view.uris.find(uri) : undefined;
  if (typeof uri !== "string" || target === undefined)
    return failed(
      codes.resourceNotFound,
      `Resource not found: ${typeof uri === "string" ? uri.slice(0, 200) : typeof uri}`,
      { uri },
    );
  if (open.has(uri)) return done;
  const pending = { isOver: false };
  open.set(uri, () => void (pending.isOver = true));
  const watched = await fleet.watch(target.server, target.uri, () => updated(uri), consumer);
  if (typeof watched !== "function") {
    open.delete(uri);
    return { error: watched.error };
  }
  if (pending.isOver) watched();
  else open.set(uri, watched);
  return done;
}

export function unsubscribe(uri: unknown, open: Map<string, () => void>): Answer {
  if (typeof uri === "string") {
    open.get(uri)?.();
    open.delete(uri);
  }
  return done;
}

export function endAll(open: Map<string, () => void>): void {
  for (const end of open.values()) end();
  open.clear();
}

const done: Answer = { json: "{}" };
