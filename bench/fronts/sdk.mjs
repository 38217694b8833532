// The session transport of the official SDK before the same server, reached through the same supervisor.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createSupervisor } from "../../dist/index.js";

const supervisor = createSupervisor({
  remember: false,
  mode: "allow-trusted",
  servers: [
    {
      id: "bench",
      command: process.execPath,
      args: [join(import.meta.dirname, "../servers/stdio.mjs")],
      trusted: true,
    },
  ],
});
await supervisor.ready();
const sessions = new Map();

async function open() {
  const server = new Server({ name: "sdk", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "echo", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text } = await supervisor.callTool("mcp_bench_echo", params.arguments);
    return { content: [{ type: "text", text }] };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

const http = createServer((incoming, response) => void handle(incoming, response));

async function handle(incoming, response) {
  const known = sessions.get(incoming.headers["mcp-session-id"]);
  await (known ?? (await open())).handleRequest(incoming, response);
}

http.listen(0, "127.0.0.1", () =>
  process.send({ url: `http://127.0.0.1:${http.address().port}/mcp`, tool: "echo" }),
);
process.on("disconnect", () => void end());

async function end() {
  await supervisor.stop();
  process.exit();
}
