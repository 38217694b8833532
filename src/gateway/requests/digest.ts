import { createHash } from "node:crypto";
import { isRecord } from "../contract/protocol.js";
import type { Json } from "../contract/protocol.js";

/** What must be the same in a retry: the method and the params without what belongs to a round or to one sending. */
export function digestOf(method: string, params: Json): string {
  const { _meta, requestState, inputResponses, ...rest } = params;
  void [_meta, requestState, inputResponses];
  return createHash("sha256")
    .update(`${method}\n${canonical(rest)}`)
    .digest("base64url");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
