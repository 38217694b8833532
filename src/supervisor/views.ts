import type { FactType } from "../events.js";
import { view } from "../streams/views.js";
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
  const tools = (): readonly ToolDescriptor[] => listTools(shared);
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

function listTools({ catalog, records, permissions }: SharedState): readonly ToolDescriptor[] {
  for (const { live } of records.values()) live?.changes?.used();
  const tools: ToolDescriptor[] = [];
  for (const entry of catalog.list()) {
    const record = records.get(entry.server);
    if (record === undefined) continue;
    tools.push(describe(entry, record.spec.name, permissions.shown(record, entry), permissions.pin(entry)));
  }
  return tools;
}
