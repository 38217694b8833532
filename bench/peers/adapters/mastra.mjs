import { MCPClient } from "@mastra/mcp";

/** `@mastra/mcp`: calls go through the tools that it returns. */
export async function connect({ kind, command, args, env, url }) {
  const server = kind === "stdio" ? { command, args, ...(env ? { env } : {}) } : { url: new URL(url) };
  const client = new MCPClient({ id: crypto.randomUUID(), servers: { bench: server } });
  const tools = await client.listTools();
  return {
    listTools: async () => Object.values(tools),
    callTool: (name, given) => tools[`bench_${name}`].execute(given, {}),
    close: () => client.disconnect(),
  };
}
