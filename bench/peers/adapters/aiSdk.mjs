import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

/** `@ai-sdk/mcp`: calls go through the tool objects that it returns. */
export async function connect({ kind, command, args, env, url }) {
  const transport =
    kind === "stdio" ? new StdioTransport({ command, args, ...(env ? { env } : {}) }) : { type: "http", url };
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  const options = { toolCallId: "bench", messages: [] };
  return {
    listTools: async () => Object.values(await client.tools()),
    callTool: (name, given) => tools[name].execute(given, options),
    close: () => client.close(),
  };
}
