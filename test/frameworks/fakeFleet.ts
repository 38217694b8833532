import type { CallOptions, ToolDescriptor, ToolResult } from "../../src/index.js";

/** A fleet in memory: what was called, and answers as a test gives them. */
export function fakeFleet(tools: readonly Partial<ToolDescriptor>[]) {
  let list = tools.map(descriptor);
  const calls: { name: string; args: unknown; options: CallOptions }[] = [];
  const fleet = {
    answer: (name: string, args: unknown): Partial<ToolResult> | Promise<Partial<ToolResult>> => ({
      text: `${name} ${JSON.stringify(args)}`,
    }),
    calls,
    set: (next: readonly Partial<ToolDescriptor>[]) => {
      list = next.map(descriptor);
    },
    tools: () => list,
    callTool: async (name: string, args: unknown, options: CallOptions = {}): Promise<ToolResult> => {
      calls.push({ name, args, options });
      const given = await fleet.answer(name, args);
      const call = { id: "c", server: "s", tool: name, name, queuedMs: 0, durationMs: 1, sent: "yes" };
      return { ok: true, text: "", content: [], warnings: [], call, ...given } as ToolResult;
    },
  };
  return fleet;
}

export function descriptor(given: Partial<ToolDescriptor>): ToolDescriptor {
  const name = given.name ?? "tool";
  return {
    name,
    server: "files",
    tool: name.replace(/^mcp_[a-z]+_/, ""),
    title: name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    annotations: {},
    permission: "allow",
    pin: "pinned",
    ...given,
  };
}
