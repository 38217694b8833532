import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { aiSdkTools } from "../../dist/frameworks/ai-sdk/index.js";
import { anthropicTools } from "../../dist/frameworks/anthropic/index.js";
import { googleTools } from "../../dist/frameworks/google/index.js";
import { langchainTools } from "../../dist/frameworks/langchain/index.js";
import { mastraTools } from "../../dist/frameworks/mastra/index.js";
import { openaiTools } from "../../dist/frameworks/openai/index.js";
import { block, pair } from "../lib/blocks.mjs";
import { connect, parameters, report } from "../lib/setup.mjs";

/**
 * What each adapter adds to a call: CPU per call through it, less the same call of the fleet itself. The fleet is one in
 * memory that answers at once, so nothing else is in the figures; from LangChain's the wrapper is taken that LangChain itself
 * puts around every tool. With `peers`, the whole of a call besides, over stdio and one at a time, through our tools and
 * those of the framework's own MCP client in turn. `{"calls": 20000, "rounds": 5, "peers": ["aiSdk"]}`
 */
const { calls = 20_000, rounds = 5, peers = [] } = parameters();
const args = { message: "what is the answer" };
const text = JSON.stringify(args);
const info = { id: "c", server: "s", tool: "echo", name: "echo", queuedMs: 0, durationMs: 0, sent: "yes" };
const tool = {
  name: "echo",
  server: "s",
  tool: "echo",
  title: "Echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  annotations: {},
  permission: "allow",
  pin: "pinned",
};
const list = [tool];
const content = [{ type: "text", text: "42" }];
const fleet = {
  tools: () => list,
  callTool: async () => ({ ok: true, text: "42", content, warnings: [], call: info }),
};

/** One tool of a fleet as each framework calls it. */
const doors = {
  aiSdk(supervisor, name) {
    const tools = aiSdkTools(supervisor);
    return async (given) => {
      for await (const _ of tools[name].execute(given, { toolCallId: "c", messages: [] }));
    };
  },
  langchain(supervisor, name) {
    const one = langchainTools(supervisor).find((each) => each.name === name);
    return (given) => one.invoke(given);
  },
  async mastra(supervisor, name) {
    const file = createRequire(new URL("../peers/adapters/mastra.mjs", import.meta.url)).resolve(
      "@mastra/core/tools",
    );
    const { createTool } = await import(pathToFileURL(file).href);
    const tools = mastraTools(supervisor, { createTool });
    return (given) => tools[name].execute(given, {});
  },
};

const chat = openaiTools(fleet);
const messages = anthropicTools(fleet);
const gemini = googleTools(fleet);
const [agent] = chat.agentTools();
const set = aiSdkTools(fleet);
const [chained] = langchainTools(fleet);
const mastra = mastraTools(fleet, { createTool: (definition) => definition });
const plain = new DynamicStructuredTool({
  name: "echo",
  description: tool.description,
  schema: tool.inputSchema,
  responseFormat: "content_and_artifact",
  func: async () => ["42", await fleet.callTool("echo", args)],
});
let id = 0;
const paths = {
  bare: () => fleet.callTool("echo", args),
  wrapper: () => plain.invoke(args),
  "openai chat": () =>
    chat.runChat([{ id: `c${++id}`, type: "function", function: { name: "echo", arguments: text } }]),
  "openai responses": () =>
    chat.runResponse([{ type: "function_call", call_id: `c${++id}`, name: "echo", arguments: text }]),
  "openai agents": () => agent.invoke({}, text, {}),
  anthropic: () => messages.run([{ type: "tool_use", id: `c${++id}`, name: "echo", input: args }]),
  google: () => gemini.run([{ id: `c${++id}`, name: "echo", args }]),
  "ai-sdk": async () => {
    for await (const _ of set.echo.execute(args, { toolCallId: "c" }));
  },
  langchain: () => chained.invoke(args),
  mastra: () => mastra.echo.execute(args, {}),
};

const result = {};
for (const [name, call] of Object.entries(paths)) {
  await run(call, calls / 4);
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await run(call, calls));
  result[name] = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
}
const floor = (name) => (name === "langchain" ? result.wrapper : result.bare);
const added = Object.fromEntries(
  Object.entries(result)
    .filter(([name]) => name !== "bare" && name !== "wrapper")
    .map(([name, cpu]) => [name, Number((cpu - floor(name)).toFixed(2))]),
);
const whole = {};
for (const peer of peers) if (peer in doors) whole[peer] = await beside(peer);
report({ added, whole });

/** CPU of a whole call in microseconds, ours and theirs. */
async function beside(peer) {
  const theirs = await connect(peer, "stdio");
  const { supervisor, ...ours } = await connect("mcpvisor", "stdio");
  const { name } = supervisor.tools().find((each) => each.tool === "echo");
  const own = await doors[peer](supervisor, name);
  const given = { text: "what is the answer" };
  const [b, a] = [() => theirs.callTool("echo", given), () => own(given)];
  for (const call of [a, b]) await block(call, calls / 4, 1);
  const figures = await pair(
    () => block(a, calls / 40, 1),
    () => block(b, calls / 40, 1),
    rounds,
  );
  await theirs.close();
  await ours.close();
  return { mcpvisor: figures.a.cpu, own: figures.b.cpu };
}

/** CPU of one call in microseconds. */
async function run(call, count) {
  const before = process.cpuUsage();
  for (let at = 0; at < count; at++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
