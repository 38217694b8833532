// A server whose tools show what a client makes of them; what it is told is written to the file in argv.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const log = process.argv[2];
const object = { type: "object", properties: {} };
const tools = ["image", "slow", "structured", "grow", "die", "fail"].map((name) => ({
  name,
  description: name,
  inputSchema: object,
}));
tools[2].outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
tools.push({
  name: "union",
  description: "union",
  inputSchema: {
    type: "object",
    anyOf: [
      { properties: { "a[b]": { type: "string", pattern: "^x" } } },
      { properties: { c: { type: "number" } } },
    ],
  },
});
const open = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (said) => ({ content: [{ type: "text", text: said }] });
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const calls = {
  image: () => ({ content: [...text("see").content, { type: "image", data: png, mimeType: "image/png" }] }),
  structured: () => ({ ...text('{"n":7}'), structuredContent: { n: 7 } }),
  fail: () => ({ ...text("no such file"), isError: true }),
  union: () => text("ok"),
  die() {
    appendFileSync(log, "die\n");
    process.exit(1);
  },
  grow() {
    tools.push({ name: "grown", description: "grown", inputSchema: object });
    send({ method: "notifications/tools/list_changed" });
    return text("grown");
  },
  slow(id, progressToken) {
    open.set(id, true);
    if (progressToken === undefined) appendFileSync(log, "no token\n");
    else
      send({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2, message: "half" },
      });
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "notifications/cancelled") appendFileSync(log, `cancelled ${open.has(params.requestId)}\n`);
  if (id === undefined) return;
  if (method === "initialize") {
    const result = {
      protocolVersion: params.protocolVersion,
      serverInfo: { name: "observed", version: "1" },
    };
    send({ id, result: { ...result, capabilities: { tools: { listChanged: true } } } });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") {
    const result = calls[params.name]?.(id, params._meta?.progressToken);
    if (result !== undefined) send({ id, result });
  } else
    send({ id, ...(method === "ping" ? { result: {} } : { error: { code: -32601, message: "unknown" } }) });
});
