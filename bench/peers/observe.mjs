// What the frameworks' own MCP clients do, seen from outside: docs/frameworks.md quotes it.
// `npm ci --prefix bench/peers && node bench/peers/observe.mjs`
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { MCPClient } from "@mastra/mcp";
import { mcpToTool } from "@google/genai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { MCPServerStdio, RunContext, getAllMcpTools } from "@openai/agents";

const folder = mkdtempSync(join(tmpdir(), "mcpvisor-observe-"));
const log = join(folder, "log");
const command = process.execPath;
const args = [fileURLToPath(new URL("server.mjs", import.meta.url)), log];

const callAiSdk = (tool, signal) => tool.execute({}, { toolCallId: "c", messages: [], abortSignal: signal });
const callLangChain = (tool, signal) =>
  tool.invoke({ type: "tool_call", id: "c", name: tool.name, args: {} }, signal && { signal });
const byName = (list) => Object.fromEntries(list.map((tool) => [tool.name, tool]));
const bare = (list) => Object.fromEntries(Object.entries(list).map(([name, tool]) => [name.slice(2), tool]));

const clients = {
  "@ai-sdk/mcp": async () => {
    const client = await createMCPClient({ transport: new StdioTransport({ command, args }) });
    return {
      tools: await client.tools(),
      again: () => client.tools(),
      call: callAiSdk,
      model: async (tool, output) => tool.toModelOutput?.({ output, toolCallId: "c", input: {} }) ?? output,
      schema: (tool) => tool.inputSchema.jsonSchema,
      asks: (tool) => "needsApproval" in tool,
      close: () => client.close(),
    };
  },
  "@langchain/mcp-adapters": async () => {
    const client = new MultiServerMCPClient({ mcpServers: { s: { transport: "stdio", command, args } } });
    return {
      tools: byName(await client.getTools()),
      again: async () => byName(await client.getTools()),
      call: callLangChain,
      model: async (_, output) => output.content,
      schema: (tool) => tool.schema,
      asks: () => false,
      close: () => client.close(),
    };
  },
  "@mastra/mcp": async () => {
    const client = new MCPClient({ id: "observe", servers: { s: { command, args } } });
    return {
      tools: bare(await client.listTools()),
      again: async () => bare(await client.listTools()),
      call: (tool, signal) => tool.execute({}, signal ? { abortSignal: signal } : {}),
      model: async (tool, output) => tool.toModelOutput?.(output) ?? output,
      schema: (tool) => tool.inputSchema?.["~standard"]?.jsonSchema?.input?.({ target: "draft-07" }),
      asks: (tool) => tool.requireApproval !== undefined,
      close: () => client.disconnect(),
    };
  },
  "@openai/agents": async () => {
    const server = new MCPServerStdio({ command, args });
    await server.connect();
    const list = async () =>
      Object.fromEntries((await getAllMcpTools({ mcpServers: [server] })).map((tool) => [tool.name, tool]));
    return {
      tools: await list(),
      again: list,
      call: (tool, signal) => tool.invoke(new RunContext(), "{}", signal && { signal }),
      model: async (_, output) => output,
      schema: (tool) => tool.parameters,
      asks: (tool) => tool.needsApproval(new RunContext(), {}),
      close: () => server.close(),
    };
  },
  "@google/genai": async () => {
    const client = new Client({ name: "observe", version: "1" });
    await client.connect(new StdioClientTransport({ command, args }));
    const callable = mcpToTool(client);
    const list = async () =>
      Object.fromEntries((await callable.tool()).functionDeclarations.map((tool) => [tool.name, tool]));
    return {
      tools: await list(),
      again: list,
      call: (tool) => callable.callTool([{ name: tool.name, args: {} }]),
      model: async (_, output) => output,
      schema: (tool) => tool.parametersJsonSchema,
      asks: () => false,
      close: () => client.close(),
    };
  },
};

const quiet = (promise) =>
  Promise.race([
    promise.then(
      (value) => ({ value }),
      (error) => ({ error: String(error?.message ?? error) }),
    ),
    new Promise((done) => void setTimeout(done, 5000, { error: "nothing within 5 s" })),
  ]);
const short = (value) =>
  JSON.stringify(value)
    ?.replaceAll(/[A-Za-z0-9+/=]{60,}/g, "BASE64")
    .slice(0, 400);

for (const [name, connect] of Object.entries(clients)) {
  writeFileSync(log, "");
  const client = await connect();
  const { tools, call } = client;
  const say = (what, seen) => console.log(`${name}: ${what}: ${short(seen)}`);
  const image = await quiet(call(tools.image));
  say("image", image.value);
  say("image, for the model", (await quiet(client.model(tools.image, image.value))).value);
  const structured = await quiet(call(tools.structured));
  say("structured", structured);
  say("fail", await quiet(call(tools.fail)));
  say("schema", await quiet(Promise.resolve().then(() => client.schema(tools.union))));
  say("asks", await client.asks(tools.slow));
  const abort = new AbortController();
  const slow = quiet(call(tools.slow, abort.signal));
  setTimeout(() => abort.abort(), 500);
  say("abort", await slow);
  await new Promise((done) => setTimeout(done, 300));
  say("abort, as the server was told", readFileSync(log, "utf8"));
  await quiet(call(tools.grow));
  await new Promise((done) => setTimeout(done, 300));
  say("after list_changed, same object", "grown" in tools);
  say("after list_changed, asked again", "grown" in (await client.again()));
  say("die", await quiet(call(tools.die)));
  say("die, as often as the server got it", readFileSync(log, "utf8").split("die").length - 1);
  say("after the crash, the same tool", await quiet(call(tools.image)));
  say(
    "after the crash, asked again",
    (await quiet(client.again().then((list) => call(list.image)))).error ?? "works",
  );
  await quiet(client.close());
}
rmSync(folder, { recursive: true, force: true });
process.exit();
