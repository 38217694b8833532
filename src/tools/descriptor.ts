import { clip } from "./cut.js";
import type { ToolEntry } from "./entries.js";
import { escapeDeep, escapeHidden } from "../hiddenText.js";
import type { Permission, ToolDefinition, ToolDescriptor } from "./types.js";

/** Longer descriptions are cut with a mark; schemas never are. */
const longestDescription = 16 * 1024;

/**
 * A tool as an agent sees it. Every text of it, those inside its schemas and annotations too, shows hidden characters as
 * escapes, so that a model and a person read the same; a schema without any is the object that the server sent.
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
    inputSchema: shown(tool.inputSchema),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: shown(tool.outputSchema) }),
    annotations: tool.annotations === undefined ? none : shown(tool.annotations),
    permission,
    pin,
    ...(entry.cached ? { cached: true } : {}),
  };
}

/** The definition as sent, but for hidden characters. */
export function definitionOf({ tool, server, name }: ToolEntry): ToolDefinition {
  return { name, server, tool: tool.name, definition: shown(tool) };
}

const none = Object.freeze({});

/** Lists are asked for again and again; a definition is looked through once. */
const known = new WeakMap<object, object>();

function shown<T extends object>(value: T): T {
  const found = known.get(value) ?? escapeDeep(value);
  known.set(value, found);
  return found as T;
}

function shorten(text: string): string {
  return text.length <= longestDescription
    ? text
    : `${clip(text, longestDescription)} [cut: ${text.length} characters]`;
}
