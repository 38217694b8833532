import type { RawTool } from "../protocol/mcp.js";
import { sha256 } from "../tools/sha256.js";
import { canonicalJson } from "./canonicalJson.js";

/** The fields of a definition that a pin holds fast. */
export const pinnedFields = [
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
] as const;

export type PinnedField = (typeof pinnedFields)[number];

/** What is kept of a definition: a hash of the whole, and its fields as canonical JSON to show a difference. */
export interface Pin {
  /** SHA-256 over the fields, 64 hex digits. */
  readonly hash: string;
  readonly fields: Readonly<Partial<Record<PinnedField, string>>>;
}

/** Everything pinned, by server id and raw tool name. */
export interface PinStore {
  /** False when an earlier store was lost: what is not in this one may have been known before. */
  readonly complete: boolean;
  readonly servers: Readonly<Record<string, Readonly<Record<string, Pin>>>>;
}

/** One field that differs, as canonical JSON; empty where it was not there. */
export interface PinDifference {
  readonly field: PinnedField;
  readonly before: string;
  readonly after: string;
}

/** `changed` holds calls back until a person approves the new definition. */
export type PinVerdict =
  | { readonly kind: "new" | "pinned" }
  | { readonly kind: "changed"; readonly difference: readonly PinDifference[] };

/** The pin of a definition. The order of keys does not matter; anything else does, to the last character. */
export function pinOf(tool: RawTool): Pin {
  const fields: Partial<Record<PinnedField, string>> = {};
  for (const field of pinnedFields) {
    const value = tool[field];
    if (value !== undefined) fields[field] = canonicalJson(value);
  }
  return { hash: sha256(canonicalJson(fields)), fields };
}

/**
 * Compares a definition with what was pinned at first use. `lost` is a pin that a broken store may
 * have held: it counts as changed, never as new.
 */
export function judgePin(stored: Pin | undefined | "lost", tool: RawTool): PinVerdict {
  if (stored === undefined) return fresh;
  const now = pinOf(tool);
  if (stored === "lost") return { kind: "changed", difference: differ({}, now.fields) };
  if (stored.hash === now.hash) return pinned;
  return { kind: "changed", difference: differ(stored.fields, now.fields) };
}

const fresh: PinVerdict = { kind: "new" };
const pinned: PinVerdict = { kind: "pinned" };

function differ(before: Pin["fields"], after: Pin["fields"]): PinDifference[] {
  return pinnedFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field] ?? "", after: after[field] ?? "" }));
}
