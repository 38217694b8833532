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

/** What is known of one server: its tools and the entries made of its last list. */
export interface ServerTools {
  readonly config: {
    readonly id: string;
    readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  };
  readonly tools: readonly RawTool[];
  readonly cached: boolean;
  readonly entries: readonly ToolEntry[];
  /** The beginnings of names that the entries were named with. */
  readonly spaces: ReadonlyMap<string, NameSpace> | undefined;
}

/**
 * A server's entries by raw name in byte order. Entries of unchanged tools are carried over as the same objects, so
 * that what was compiled for them stays; when nothing has changed at all, so is the list.
 */
export function entriesOf(
  listed: ServerTools,
  naming: Naming,
  spaces: ReadonlyMap<string, NameSpace>,
): readonly ToolEntry[] {
  const tools = new Map<string, RawTool>();
  for (const tool of listed.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
  const isIncluded = matcher(listed.config.tools?.include);
  const isExcluded = matcher(listed.config.tools?.exclude);
  const entry = (tool: RawTool, name: string, old: ToolEntry | undefined): ToolEntry => {
    const excluded = isExcluded?.(tool.name) === true || isIncluded?.(tool.name) === false;
    if (old?.name === name && old.excluded === excluded && sameTool(old.tool, tool)) {
      old.cached = listed.cached;
      return old;
    }
    return { name, server: listed.config.id, tool, excluded, cached: listed.cached };
  };
  if (keepsNames(listed, tools, spaces)) {
    const entries = listed.entries.map((old) => entry(tools.get(old.tool.name) ?? old.tool, old.name, old));
    return entries.every((each, at) => each === listed.entries[at]) ? listed.entries : entries;
  }
  const known = new Map(listed.entries.map((each) => [each.tool.name, each]));
  // Excluded tools take part in naming: a change of the rules must not move the names of the others.
  const names = nameTools(listed.config.id, [...tools.keys()], naming, spaces);
  return [...tools.values()]
    .toSorted(byRawName)
    .map((tool) => entry(tool, names.get(tool.name) ?? tool.name, known.get(tool.name)));
}

/** Names and order depend on the raw names and on who else is configured: with the same ones, they stay. */
function keepsNames(
  { entries, spaces: before }: ServerTools,
  tools: ReadonlyMap<string, RawTool>,
  spaces: ReadonlyMap<string, NameSpace>,
): boolean {
  return (
    before === spaces && entries.length === tools.size && entries.every((each) => tools.has(each.tool.name))
  );
}

/**
 * Gives the known definition of a tool in place of an equal new one, and everything else as it is. A list that brings
 * nothing new then leaves nothing behind.
 */
export function recogniser(entries: readonly ToolEntry[]): (item: unknown) => unknown {
  const known = new Map<unknown, RawTool>(entries.map(({ tool }) => [tool.name, tool]));
  return (item) => {
    const name: unknown = typeof item === "object" && item !== null ? Reflect.get(item, "name") : undefined;
    const tool = known.get(name);
    return tool !== undefined && sameTool(tool, item) ? tool : item;
  };
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
