import type { SeededRandom } from "../random.js";
import { listPage } from "./tools.js";
import type { FakeScript, FakeTool, FakeWire, Incoming } from "./types.js";

/** The server that an answer is given for. */
export interface AnsweringServer {
  readonly script: FakeScript;
  readonly tools: readonly FakeTool[];
  readonly random: SeededRandom;
  later(ms: number, action: () => void): void;
}

/** What a healthy server says to this message; undefined for a notification. */
export async function answerOf(
  server: AnsweringServer,
  { id, method, params }: Incoming,
  wire: FakeWire,
  index: number,
): Promise<object | undefined> {
  if (id === undefined) return undefined;
  const reply = (result: unknown): object => ({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "initialize":
      return reply({
        protocolVersion: server.script.protocolVersion ?? params?.["protocolVersion"],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: server.script.id, version: "1.0.0" },
      });
    case "ping":
      return reply({});
    case "tools/list":
      return reply(listPage(server.tools, params?.["cursor"], server.script.pageSize));
    case "tools/call":
      return called(server, reply, id, params ?? {}, wire, index);
    default:
      return {
        jsonrpc: "2.0",
        id,
        error: { code: -32601, message: `Method not found: ${String(method)}` },
      };
  }
}

async function called(
  server: AnsweringServer,
  reply: (result: unknown) => object,
  id: unknown,
  params: Readonly<Record<string, unknown>>,
  wire: FakeWire,
  index: number,
): Promise<object> {
  const tool = server.tools.find((each) => each.name === params["name"]);
  if (tool === undefined)
    return {
      jsonrpc: "2.0",
      id,
      error: { code: -32602, message: `Unknown tool: ${String(params["name"])}` },
    };
  const args = (params["arguments"] ?? {}) as Readonly<Record<string, unknown>>;
  const token = (params["_meta"] as { progressToken?: unknown } | undefined)?.progressToken ?? id;
  const progress = (done: number, total?: number): void =>
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: token, progress: done, ...(total === undefined ? {} : { total }) },
    });
  const ms = latencyOf(server.random, tool.latency ?? server.script.latency ?? 0);
  if (ms > 0) await new Promise<void>((resolve) => server.later(ms, resolve));
  const answer: unknown = await tool.answer?.(args, { generation: wire.generation, index, progress });
  if (typeof answer === "object" && answer !== null && "error" in answer)
    return { jsonrpc: "2.0", id, error: answer.error };
  return reply(resultOf(answer ?? echo(args)));
}

function latencyOf(random: SeededRandom, latency: number | readonly [number, number]): number {
  if (typeof latency === "number") return latency;
  return Math.round(latency[0] + random.next() * (latency[1] - latency[0]));
}

function echo(args: Readonly<Record<string, unknown>>): string {
  return typeof args["text"] === "string" ? args["text"] : JSON.stringify(args);
}

function resultOf(answer: unknown): unknown {
  return typeof answer === "string" ? { content: [{ type: "text", text: answer }] } : answer;
}
