import { clip } from "./cut.js";
import type { ToolEntry } from "./entries.js";
import { escapeHidden } from "./hiddenText.js";
import type { Permission, ToolDefinition, ToolDescriptor } from "./types.js";

/** Longer descriptions are cut with a mark; schemas never are. */
const longestDescription = 16 * 1024;

/**
 * A tool as an agent sees it. Schemas are the objects that the server sent. Title and description show hidden
 * characters as escapes, so that a model and a person read the same.
 */
export function describe(
  entry: ToolEntry,
  serverName: string,
  permission: Permission,
  pin: ToolDescriptor["pin"],
): ToolDescriptor {
  const { tool } = entry;
  const title = tool.title ?? tool.annotations?.title;
  const description = tool.description ?? tool.title;
  const name = escapeHidden(tool.name);
  return {
    name: entry.name,
    server: entry.server,
    tool: tool.name,
    title: title === undefined ? name : escapeHidden(title),
    description: `[MCP ${escapeHidden(serverName)}] ${description === undefined ? name : shorten(escapeHidden(description))}`,
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    annotations: tool.annotations ?? none,
    permission,
    pin,
    ...(entry.cached ? { cached: true } : {}),
  };
}

/** The definition as sent, but for hidden characters of title and description. */
export function definitionOf(entry: ToolEntry): ToolDefinition {
  const { tool, server, name } = entry;
  const { title, description } = tool;
  const definition = {
    ...tool,
    ...(title === undefined ? {} : { title: escapeHidden(title) }),
    ...(description === undefined ? {} : { description: escapeHidden(description) }),
  };
  return { name, server, tool: tool.name, definition };
}

const none = Object.freeze({});

function shorten(text: string): string {
  return text.length <= longestDescription
    ? text
    : `${clip(text, longestDescription)} [cut: ${text.length} characters]`;
}
