import { schemaFor } from "../schemas/schemaFor.js";
import type { JsonSchema, Provider } from "../contract/schema.js";
import type { OfferedTool } from "../contract/offer.js";

/** The tools that stand for all others: find, look closely, call. */
export function searchTools(provider: Provider, tools: readonly OfferedTool[]): OfferedTool[] {
  return Object.entries(definitions(tools)).map(([name, { description, inputSchema }]) => {
    const schema = schemaFor(provider, inputSchema);
    const characters = name.length + description.length + JSON.stringify(schema.schema).length + 50;
    return { name, description, schema, characters };
  });
}

export type SearchToolName = "call_tool" | "describe_tools" | "search_tools";

export function isSearchTool(name: string): name is SearchToolName {
  return name === "search_tools" || name === "describe_tools" || name === "call_tool";
}

function definitions(
  tools: readonly OfferedTool[],
): Record<SearchToolName, { description: string; inputSchema: JsonSchema }> {
  return {
    call_tool: {
      description:
        "Calls a tool that search_tools found. Pass the arguments that describe_tools shows, as an object.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "Name of the tool, as found." },
          arguments: { type: "object", description: "Arguments of the tool." },
        },
        required: ["name"],
      },
    },
    describe_tools: {
      description: "Shows description and parameters of up to five tools by their names.",
      inputSchema: {
        type: "object",
        properties: { names: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5 } },
        required: ["names"],
      },
    },
    search_tools: {
      description: `Finds tools by words for what they do. There are ${tools.length} tools of these servers: ${servers(tools)}.`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "Words for what the tool does." },
          limit: { type: "integer", minimum: 1, maximum: 20, default: 8 },
          server: { type: "string", description: "Only tools of this server." },
        },
        required: ["query"],
      },
    },
  };
}

function servers(tools: readonly OfferedTool[]): string {
  const counts = new Map<string, number>();
  for (const { descriptor } of tools) {
    if (descriptor !== undefined) counts.set(descriptor.server, (counts.get(descriptor.server) ?? 0) + 1);
  }
  const names = [...counts.keys()].toSorted();
  const shown = names.slice(0, 50).map((name) => `${name} (${counts.get(name)})`);
  return shown.join(", ") + (names.length > 50 ? ` and ${names.length - 50} more` : "");
}
