import type { FakeTool } from "./types.js";

/** A tool from its name alone: takes anything, echoes it. */
export function toolNamed(tool: string | FakeTool): FakeTool {
  return typeof tool === "string" ? { name: tool } : tool;
}

/** One page of `tools/list`; cursors are positions as text. */
export function listPage(tools: readonly FakeTool[], cursor: unknown, pageSize = tools.length): object {
  const from = typeof cursor === "string" ? Number(cursor) : 0;
  const until = from + Math.max(1, pageSize);
  return {
    tools: tools.slice(from, until).map(wireTool),
    ...(until < tools.length ? { nextCursor: String(until) } : {}),
  };
}

export function wireTool({ name, description, inputSchema, outputSchema, annotations }: FakeTool): object {
  return {
    name,
    description: description ?? `The tool ${name} of a fake server.`,
    inputSchema: inputSchema ?? { type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
