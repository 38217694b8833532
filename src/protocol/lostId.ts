import type { RequestId } from "./jsonrpc.js";

const member =
  /\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|true|false|null)\s*,/y;
const nextKey = /\s*"((?:[^"\\]|\\.)*)"\s*:/y;
const trailingMembers =
  /,\s*((?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)\s*,?\s*)+)\}\s*$/;

/**
 * The id of a JSON-RPC response of which only the first and last bytes are known, so that its call can fail at
 * once. Servers write the id in front of the result or as the last member; anything that may be a request or a
 * notification of the peer has no id of ours and gives undefined. Of a batch the first or last answer is found.
 */
export function lostResponseId(head: string, tail: string): RequestId | undefined {
  const batch = /^\s*\[/.exec(head);
  if (batch !== null) return lostResponseId(head.slice(batch[0].length), tail.replace(/\]\s*$/, ""));
  const front = scalarsAtStart(head);
  if (front === undefined || front.next === "params" || front.members.has("method")) return undefined;
  const back = scalarsAtEnd(tail);
  if (back.has("method")) return undefined;
  return front.members.get("id") ?? back.get("id");
}

/**
 * The id of a JSON-RPC response of which only the first bytes have come; undefined when it may stand behind them, or
 * when this may be no response. Of a batch it is the id of the first one.
 */
export function openResponseId(head: string): RequestId | undefined {
  const front = scalarsAtStart(head.replace(/^\s*\[/, ""));
  if (front === undefined || front.members.has("method")) return undefined;
  return front.next === "result" || front.next === "error" ? front.members.get("id") : undefined;
}

type Scalars = Map<string, RequestId>;

function scalarsAtStart(head: string): { members: Scalars; next: string | undefined } | undefined {
  const brace = head.search(/\S/);
  if (head[brace] !== "{") return undefined;
  const members: Scalars = new Map();
  let at = brace + 1;
  for (;;) {
    member.lastIndex = at;
    const match = member.exec(head);
    if (match === null) break;
    remember(members, match[1]!, match[2], match[3]);
    at = member.lastIndex;
  }
  nextKey.lastIndex = at;
  return { members, next: nextKey.exec(head)?.[1] };
}

function scalarsAtEnd(tail: string): Scalars {
  const members: Scalars = new Map();
  const last = trailingMembers.exec(tail)?.[1];
  if (last === undefined) return members;
  for (const match of last.matchAll(/"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"|(-?\d+(?:\.\d+)?)|true|false|null)/g)) {
    remember(members, match[1]!, match[2], match[3]);
  }
  return members;
}

function remember(members: Scalars, key: string, text: string | undefined, number: string | undefined): void {
  if (number !== undefined) members.set(key, Number(number));
  else members.set(key, text ?? "");
}
