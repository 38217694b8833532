// A small MCP server without dependencies: two read-only tools over standard input and output.
import { createInterface } from "node:readline";

const readOnly = { readOnlyHint: true };
const tools = [
  {
    name: "greet",
    description: "Greets somebody.",
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    annotations: readOnly,
  },
  {
    name: "count",
    description: "Counts slowly and reports progress.",
    inputSchema: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
    annotations: readOnly,
  },
];
const counting = new Map();

createInterface({ input: process.stdin }).on("line", (line) => handle(JSON.parse(line)));

function handle({ id, method, params }) {
  if (method === "initialize") {
    const serverInfo = { name: "greeter", version: "1.0.0" };
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === "tools/list") answer(id, { tools });
  else if (method === "ping") answer(id, {});
  else if (method === "tools/call" && params.name === "greet")
    answer(id, text(`Hello, ${params.arguments.name}!`));
  else if (method === "tools/call" && params.name === "count") count(id, params);
  else if (method === "notifications/cancelled") stopCounting(params.requestId);
  else if (id !== undefined) send({ id, error: { code: -32601, message: `no method ${method}` } });
}

function count(id, { arguments: { to }, _meta }) {
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    if (progress >= to) {
      stopCounting(id);
      answer(id, text(`counted to ${to}`));
    } else if (_meta?.progressToken !== undefined) {
      const params = { progressToken: _meta.progressToken, progress, total: to };
      send({ method: "notifications/progress", params });
    }
  }, 20);
  counting.set(id, timer);
}

function stopCounting(id) {
  clearInterval(counting.get(id));
  counting.delete(id);
}

function text(value) {
  return { content: [{ type: "text", text: value }] };
}

function answer(id, result) {
  send({ id, result });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
