import { findSchema, findText, lookSchema, lookText } from "../../search/definitions.js";
import { areTooMany } from "../../search/threshold.js";
import type { FleetTool } from "../contract/door.js";
import type { Json } from "../contract/protocol.js";

/** The tools that stand for all others. No offered name of a server's tool can be one of these: it holds `__` or `-`. */
export const searchToolNames = ["search_tools", "describe_tools", "call_tool", "read_tool"] as const;
export type SearchToolName = (typeof searchToolNames)[number];

export function isSearchTool(name: unknown): name is SearchToolName {
  return (searchToolNames as readonly unknown[]).includes(name);
}

/** Whether a view of so many tools is offered by search. */
export function isSearching(
  expose: "auto" | "all" | "search" | undefined,
  toolTexts: readonly string[],
): boolean {
  if (expose === "search" || expose === "all") return expose === "search";
  const characters = toolTexts.reduce((sum, text) => sum + text.length, 0);
  return areTooMany(toolTexts.length, characters);
}

/** What instructions say first where tools are found by search. */
export const searchAdvice =
  "The tools of these servers are found by search: call search_tools with words for what is to be done, look at the " +
  "parameters with describe_tools, then call read_tool (for what only reads) or call_tool.";

/** The four definitions, as texts of a list. */
export function searchTexts(tools: Iterable<FleetTool>): string[] {
  return definitions(findText(Array.from(tools, ({ server }) => server))).map((each) => JSON.stringify(each));
}

const target = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name of the tool, as found." },
    arguments: { type: "object", description: "Arguments of the tool, as describe_tools shows them." },
  },
  required: ["name"],
};

function definitions(finds: string): Json[] {
  const reads = { readOnlyHint: true, openWorldHint: false };
  return [
    {
      name: "search_tools",
      title: "Find tools",
      description: finds,
      inputSchema: findSchema,
      annotations: reads,
    },
    {
      name: "describe_tools",
      title: "Look at tools",
      description: lookText,
      inputSchema: lookSchema,
      annotations: reads,
    },
    {
      name: "call_tool",
      title: "Call a tool",
      description: "Calls a tool that search_tools found.",
      inputSchema: target,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    {
      name: "read_tool",
      title: "Call a tool that only reads",
      description: "Calls a tool that search_tools found and marked as reading only; refuses any other.",
      inputSchema: target,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
  ];
}
