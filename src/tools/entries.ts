import type { RawTool } from "../protocol/mcp.js";
import { nameTools } from "./names.js";
import type { NameSpace, Naming } from "./names.js";
import { sameTool } from "./sameTool.js";
import type { OutputCheck } from "./schemaCheck.js";

/** One tool of one server under its public name: a plain object that the way of a call reads. */
export interface ToolEntry {
  readonly name: string;
  /** Server id. */
  readonly server: string;
  readonly tool: RawTool;
  /** A rule of the configuration withholds it. */
  readonly excluded: boolean;
  /** From the catalog of an earlier session; cleared by the first list of this one. */
  cached: boolean;
  /** Its raw name as JSON text; set by the first call. */
  nameJson?: string;
  /** Set by the first check of a result (schemaCheck.ts). */
  output?: OutputCheck;
}

/**
 * A server's entries by raw name in byte order. Entries of unchanged tools are carried over as the same objects, so
 * that what was compiled for them stays.
 */
export function entriesOf(
  config: {
    readonly id: string;
    readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  },
  shelf: {
    readonly tools: readonly RawTool[];
    readonly cached: boolean;
    readonly entries: readonly ToolEntry[];
  },
  naming: Naming,
  spaces: ReadonlyMap<string, NameSpace>,
): ToolEntry[] {
  const known = new Map(shelf.entries.map((entry) => [entry.tool.name, entry]));
  // Excluded tools take part in naming: a change of the rules must not move the names of the others.
  const names = nameTools(
    config.id,
    shelf.tools.map((tool) => tool.name),
    naming,
    spaces,
  );
  const isIncluded = matcher(config.tools?.include);
  const isExcluded = matcher(config.tools?.exclude);
  const tools = new Map(shelf.tools.toReversed().map((tool) => [tool.name, tool]));
  return [...tools.values()].toSorted(byRawName).map((tool) => {
    const name = names.get(tool.name) ?? tool.name;
    const excluded = isExcluded?.(tool.name) === true || isIncluded?.(tool.name) === false;
    const old = known.get(tool.name);
    if (old?.name === name && old.excluded === excluded && sameTool(old.tool, tool)) {
      old.cached = shelf.cached;
      return old;
    }
    return { name, server: config.id, tool, excluded, cached: shelf.cached };
  });
}

/** A test for raw names, or nothing when there are no rules; `*` stands for any run of characters. */
export function matcher(rules: readonly string[] | undefined): ((raw: string) => boolean) | undefined {
  if (rules === undefined) return undefined;
  const exact = new Set(rules.filter((rule) => !rule.includes("*")));
  const wild = rules.filter((rule) => rule.includes("*")).map((rule) => rule.split("*"));
  return (raw) => exact.has(raw) || wild.some((parts) => fits(raw, parts));
}

/** Linear: no regular expression is made from a rule. */
function fits(raw: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  const end = raw.length - last.length;
  if (end < first.length || !raw.startsWith(first) || !raw.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = raw.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

function byRawName(a: RawTool, b: RawTool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
