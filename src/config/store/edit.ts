import type { JSONPath } from "jsonc-parser";
import { idsOf } from "../dialects/ids.js";
import type { RawEntry } from "../dialects/raw.js";
import { entriesOf } from "../dialects/shape.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { canonicalJson } from "../entries/hash.js";
import { readJsonc } from "../files/jsonc.js";
import { editJsonc } from "../files/jsonEdit.js";
import type { Change } from "../files/jsonEdit.js";

/** The entry of a file with this id, and where it stands. */
export function findEntry(text: string, id: string): RawEntry | undefined {
  const source = readJsonc(text);
  if (!source.ok) return undefined;
  const { entries } = entriesOf(source.value);
  // Of two with the same id the last one counts, so that is the one to edit.
  return entries[idsOf(entries).lastIndexOf(id)];
}

/**
 * The text with an entry's fields as given: comments, order, unknown fields and white space of everything else stay.
 * Of `owned` fields, those that are absent are removed.
 */
export function updateEntry(text: string, entry: RawEntry, next: Fields, owned: readonly string[]): string {
  const stored = isRecord(entry.value) ? entry.value : undefined;
  const at = [...entry.at];
  if (stored === undefined) return editJsonc(text, [{ at, value: next }]);
  const kept = Object.entries(stored).filter(([field]) => !owned.includes(field));
  return editJsonc(text, changesBetween(stored, { ...Object.fromEntries(kept), ...next }, at));
}

/** The text with one more entry: at the end of the list of settings, or under its name in a map of servers. */
export function addEntry(text: string, at: JSONPath, value: unknown): string {
  return editJsonc(text, [{ at, value, insert: typeof at.at(-1) === "number" }]);
}

/** The text without an entry. */
export function removeEntry(text: string, entry: RawEntry): string {
  return editJsonc(text, [{ at: [...entry.at], value: undefined }]);
}

/** Where a new entry of a file goes, by the shape the file has already; an empty one is made in the given dialect. */
export function placeForNew(text: string, name: string, otherwise: RawEntry["dialect"]): JSONPath {
  const source = readJsonc(text);
  const root = source.ok && isRecord(source.value) ? source.value : {};
  const mcp = root["mcp"];
  if (Array.isArray(root["servers"])) return ["servers", root["servers"].length];
  if (isRecord(root["servers"])) return ["servers", name];
  if (isRecord(root["mcpServers"])) return ["mcpServers", name];
  if (isRecord(mcp) || otherwise === "settings") {
    const list = isRecord(mcp) && Array.isArray(mcp["servers"]) ? mcp["servers"] : [];
    return ["mcp", "servers", list.length];
  }
  // A map of servers with nothing around it stays one.
  return entriesOf(root).entries.length > 0 ? [name] : ["mcpServers", name];
}

function changesBetween(before: Fields, after: Fields, at: JSONPath): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): Change[] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const value = Object.hasOwn(after, name) ? after[name] : undefined;
    const path = [...at, name];
    if (isRecord(old) && isRecord(value)) return changesBetween(old, value, path);
    const same = (old === undefined) === (value === undefined) && canonicalJson(old) === canonicalJson(value);
    return same ? [] : [{ at: path, value }];
  });
}
