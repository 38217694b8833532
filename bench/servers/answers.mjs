/** What both bench servers say: as little work per request as Node allows, so that the client is what is measured. */

const listSize = Number(process.env.BENCH_TOOLS ?? 2);
const withOutputSchema = process.env.BENCH_OUTPUT_SCHEMA === "1";
const pageSize = 100;

const first = [
  { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
  { name: "big", inputSchema: { type: "object", properties: { bytes: { type: "integer" } } } },
];
const tools = Array.from({ length: listSize }, (_, at) => first[at] ?? toolOf(at));
const pages = Array.from({ length: Math.ceil(tools.length / pageSize) }, (_, page) => {
  const nextCursor = (page + 1) * pageSize < tools.length ? { nextCursor: String(page + 1) } : {};
  return JSON.stringify({ tools: tools.slice(page * pageSize, (page + 1) * pageSize), ...nextCursor });
});
const echoed = '{"content":[{"type":"text","text":"the answer to everything, in forty letters"}]}';
const initialized = JSON.stringify({
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "bench", version: "1.0.0" },
});
const big = new Map();

function toolOf(at) {
  const properties = {
    path: { type: "string", description: "Where to look, from the root of the project" },
    limit: { type: "integer", minimum: 1, maximum: 1000 },
    kind: { type: "string", enum: ["file", "folder", "link"] },
  };
  const schema = { type: "object", properties, required: ["path"] };
  return {
    name: `tool_${at}`,
    title: `Tool ${at}`,
    description: `Looks up number ${at} and says what it found there, with its size and its kind.`,
    inputSchema: schema,
    ...(withOutputSchema ? { outputSchema: schema } : {}),
  };
}

function resultOf({ method, params }) {
  switch (method) {
    case "tools/call":
      return params.name === "big" ? bigOf(params.arguments.bytes) : echoed;
    case "initialize":
      return initialized;
    case "tools/list":
      return pages[Number(params?.cursor ?? 0)];
    case "ping":
      return "{}";
    default:
      return undefined;
  }
}

function bigOf(bytes) {
  let text = big.get(bytes);
  if (text === undefined) {
    text = `{"content":[{"type":"text","text":"${"x".repeat(bytes)}"}]}`;
    big.set(bytes, text);
  }
  return text;
}

/** The JSON text that answers one parsed message; empty for notifications. */
export function answer(message) {
  if (message.id === undefined) return "";
  const id = JSON.stringify(message.id);
  const result = resultOf(message);
  return result === undefined
    ? `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`
    : `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}
