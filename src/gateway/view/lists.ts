import { pageSize, readCursor, writeCursor } from "./cursor.js";
import type { Peer } from "../consumers/peer.js";
import { codes, failed } from "../contract/protocol.js";
import type { Answer } from "../contract/protocol.js";
import type { Seal } from "../consumers/seal.js";
import type { ListName, OfferedList } from "./view.js";

const fields: Readonly<Record<ListName, string>> = {
  tools: "tools",
  resources: "resources",
  templates: "resourceTemplates",
  prompts: "prompts",
};

/** Hints of the gateway's own (MCP 2026-07-28, caching): a view belongs to one consumer and may change at any time. */
export const cacheHints = `"ttlMs":0,"cacheScope":"private"`;

const whole = new WeakMap<OfferedList, { legacy: string; modern: string }>();

/** One page of a list; the text of a list that fits on one page is made once and served as it is. */
export function listPage(
  peer: Peer,
  name: ListName,
  list: OfferedList,
  cursor: unknown,
  seal: Seal,
  size = pageSize,
): Answer {
  const era = peer.modern ? "modern" : "legacy";
  if (cursor === undefined && list.items.length <= size) {
    let texts = whole.get(list);
    if (texts === undefined) {
      const body = `"${fields[name]}":[${list.items.join(",")}]`;
      texts = { legacy: `{${body}}`, modern: `{"resultType":"complete",${body},${cacheHints}}` };
      whole.set(list, texts);
    }
    return { json: texts[era] };
  }
  const of = `${name}:${peer.consumer.name}:${peer.only ?? ""}`;
  const at = readCursor(seal, of, list.revision, cursor);
  if (at === undefined)
    return failed(
      codes.invalidParams,
      "the cursor is not of this list as it is now; begin again without one",
    );
  const next = at + size;
  const more =
    next < list.items.length
      ? `,"nextCursor":${JSON.stringify(writeCursor(seal, of, list.revision, next))}`
      : "";
  const body = `"${fields[name]}":[${list.items.slice(at, next).join(",")}]${more}`;
  return { json: peer.modern ? `{"resultType":"complete",${body},${cacheHints}}` : `{${body}}` };
}
