import { findSchema, findText, lookSchema, lookText } from "../../search/definitions.js";
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
    describe_tools: { description: lookText, inputSchema: lookSchema },
    search_tools: {
      description: findText(tools.map(({ descriptor }) => descriptor?.server)),
      inputSchema: findSchema,
    },
  };
}
