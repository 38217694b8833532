import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";

/** A value with a patch applied (JSON Merge Patch, RFC 7396): objects field by field, `null` takes away. */
export function patched(value: Fields, patch: Fields): Fields {
  const next = new Map(Object.entries(value));
  for (const [field, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    const before = next.get(field);
    if (change === null) next.delete(field);
    else next.set(field, isRecord(change) ? patched(isRecord(before) ? before : {}, change) : change);
  }
  return Object.fromEntries(next) as Fields;
}
