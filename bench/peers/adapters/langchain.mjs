import { MultiServerMCPClient } from "@langchain/mcp-adapters";

/** `@langchain/mcp-adapters`: calls go through the tools that it returns. */
export async function connect({ kind, command, args, env, url }) {
  const server =
    kind === "stdio"
      ? { transport: "stdio", command, args, ...(env ? { env } : {}) }
      : { transport: "http", url };
  const client = new MultiServerMCPClient({ mcpServers: { bench: server } });
  const tools = await client.getTools();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    listTools: async () => tools,
    callTool: (name, given) => byName.get(name).invoke(given),
    close: () => client.close(),
  };
}
