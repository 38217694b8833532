import { spawn } from "node:child_process";
import { Agent, request as httpRequest } from "node:http";

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "floor", version: "1.0.0" },
};

/** The floor: a pipe, a split at newlines, JSON and a Map; nothing is checked, nothing is watched. */
export async function connect({ kind, command, args, env, url }) {
  const wire = kind === "stdio" ? overStdio(command, args, env) : overHttp(url, kind);
  await wire.ask("initialize", hello);
  // A connection that is closed at once may never hear the answer to this.
  void Promise.resolve(wire.tell("notifications/initialized")).catch(() => {});
  return {
    async listTools() {
      const tools = [];
      for (let cursor; ; ) {
        const page = await wire.ask("tools/list", cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor === undefined) return tools;
      }
    },
    callTool: (name, given) => wire.ask("tools/call", { name, arguments: given }),
    close: () => wire.close(),
  };
}

function overStdio(command, args, env) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, ...env } });
  const pending = new Map();
  let lastId = 0;
  let parts = [];
  child.stdout.on("data", (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [];
      from = at + 1;
      const message = JSON.parse(line.toString());
      const resolve = pending.get(message.id);
      pending.delete(message.id);
      resolve?.(message.result);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
  return {
    ask(method, params) {
      const id = ++lastId;
      return new Promise((resolve) => {
        pending.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      });
    },
    tell: (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`),
    close: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.stdin.end();
      }),
  };
}

function overHttp(url, kind) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  let lastId = 0;
  const post = (message) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(message);
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "content-length": Buffer.byteLength(body),
      };
      const request = httpRequest(url, { method: "POST", agent, headers }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      });
      request.on("error", reject);
      request.end(body);
    });
  return {
    async ask(method, params) {
      const text = await post({ jsonrpc: "2.0", id: ++lastId, method, params });
      return JSON.parse(kind === "sse" ? text.slice(text.indexOf("data: ") + 6, -2) : text).result;
    },
    tell: (method) => post({ jsonrpc: "2.0", method }),
    async close() {
      agent.destroy();
    },
  };
}
