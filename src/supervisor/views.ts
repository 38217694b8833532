import type { FactType } from "../events.js";
import { view } from "../streams/views.js";
import type { ServerSpec } from "../spec.js";
import type { ToolEntry } from "../tools/catalog.js";
import { definitionOf, describe } from "../tools/descriptor.js";
import type { ToolDefinition, ToolDescriptor } from "../tools/types.js";
import type { Supervisor } from "./contract/supervisor.js";
import type { ServerStatus } from "./contract/status.js";
import type { SharedState } from "./state/sharedState.js";
import { statusOf } from "./status.js";

const serverFacts: readonly FactType[] = [
  "mcp.state",
  "mcp.connected",
  "mcp.disconnected",
  "mcp.tools",
  "mcp.retired",
  "mcp.config",
  "mcp.log",
];
const toolFacts: readonly FactType[] = [
  "mcp.tools",
  "mcp.connected",
  "mcp.disconnected",
  "mcp.retired",
  "mcp.config",
  "mcp.approval.decided",
];

/** What a host sees of servers, tools and open approvals: now, and after each change. */
export function createViews(
  shared: SharedState,
): Pick<Supervisor, "servers" | "tools" | "definitions" | "servers$" | "tools$" | "approvals$"> {
  const { bus, approvals } = shared;
  const servers = (): readonly ServerStatus[] =>
    [...shared.records.values()].map((record) => statusOf(record, shared.catalog));
  const tools = keptList(shared);
  return {
    servers,
    tools,
    definitions: () => definitionsOf(shared),
    servers$: view(bus, serverFacts, servers),
    tools$: view(bus, toolFacts, tools),
    approvals$: view(bus, ["mcp.approval.requested", "mcp.approval.decided"], () => approvals.list()),
  };
}

/** Tools as their servers list them, for who passes them on; hidden characters of what people read show as escapes. */
function definitionsOf({ catalog }: SharedState): readonly ToolDefinition[] {
  return catalog.list().map((entry) => {
    const known = definitions.get(entry);
    if (known !== undefined) return known;
    const made = definitionOf(entry);
    definitions.set(entry, made);
    return made;
  });
}

const definitions = new WeakMap<ToolEntry, ToolDefinition>();

/** The list is asked for before every step and call of an agent: it is the same array until something in it changes. */
function keptList(shared: SharedState): () => readonly ToolDescriptor[] {
  const { catalog, records, permissions } = shared;
  let list: readonly ToolDescriptor[] = [];
  let entries: readonly ToolEntry[] | undefined;
  let specs: readonly ServerSpec[] = [];
  let revision = -1;
  return () => {
    let at = 0;
    let same = entries === catalog.list() && revision === permissions.revision();
    for (const { live, spec } of records.values()) {
      live?.changes?.used();
      same &&= specs[at++] === spec;
    }
    if (same && at === specs.length) return list;
    entries = catalog.list();
    revision = permissions.revision();
    specs = Array.from(records.values(), ({ spec }) => spec);
    const known = new Map(list.map((each) => [each.name, each]));
    list = Object.freeze(listTools(shared).map((made) => kept(known.get(made.name), made)));
    return list;
  };
}

/** The descriptor there was, where it says the same: whoever works with it may keep what came of it. */
function kept(before: ToolDescriptor | undefined, made: ToolDescriptor): ToolDescriptor {
  if (before === undefined) return made;
  const keys = Object.keys(made) as (keyof ToolDescriptor)[];
  const same = keys.length === Object.keys(before).length && keys.every((key) => before[key] === made[key]);
  return same ? before : made;
}

function listTools({ catalog, records, permissions }: SharedState): readonly ToolDescriptor[] {
  const tools: ToolDescriptor[] = [];
  for (const entry of catalog.list()) {
    const record = records.get(entry.server);
    if (record === undefined) continue;
    tools.push(describe(entry, record.spec.name, permissions.shown(record, entry), permissions.pin(entry)));
  }
  return tools;
}
