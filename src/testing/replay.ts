import { readFile } from "node:fs/promises";
import { fakeServer } from "./fakeServer.js";
import type { FakeScript, FakeServer, FakeTool } from "./fake/types.js";
import type { WireLine } from "./record.js";

/**
 * Fake servers that answer as the recorded ones did, one per server of the recording, in its order. A call gets what
 * the same call (tool and arguments) got, each recorded answer once and then the last one again; a call that was never
 * recorded gets the JSON-RPC error -32001. Throws for a file that is no recording.
 */
export async function replay(
  recording: string | { readonly lines: readonly string[] },
  options: Pick<FakeScript, "over" | "clock"> = {},
): Promise<readonly FakeServer[]> {
  const texts =
    typeof recording === "string" ? (await readFile(recording, "utf8")).split("\n") : recording.lines;
  const lines = texts.filter((text) => text !== "").map((text) => JSON.parse(text) as WireLine);
  const ids = [...new Set(lines.map(({ server }) => server))];
  const scripts = ids.map((id) =>
    scriptOf(
      id,
      lines.filter(({ server }) => server === id),
    ),
  );
  return Promise.all(scripts.map((script) => fakeServer({ ...script, ...options })));
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/** A recorded request and what came back. */
interface Exchange {
  readonly request: Message;
  readonly reply: Message;
}

function scriptOf(id: string, lines: readonly WireLine[]): FakeScript {
  const exchanges = exchangesOf(lines);
  const version = exchanges.find(({ request }) => request.method === "initialize")?.reply.result?.[
    "protocolVersion"
  ];
  const calls = exchanges.filter(({ request }) => request.method === "tools/call");
  return {
    id,
    tools: toolsOf(exchanges).map((tool) => ({ ...tool, answer: answerFrom(tool.name, calls) })),
    ...(typeof version === "string" ? { protocolVersion: version } : {}),
  };
}

function exchangesOf(lines: readonly WireLine[]): Exchange[] {
  const open = new Map<string, Message>();
  const found: Exchange[] = [];
  for (const { way, generation, message } of lines) {
    const told = (message ?? {}) as Message;
    const key = `${generation}:${JSON.stringify(told.id)}`;
    if (way === "out" && told.method !== undefined && told.id !== undefined) open.set(key, told);
    const request = way === "in" && told.method === undefined ? open.get(key) : undefined;
    if (request === undefined) continue;
    open.delete(key);
    found.push({ request, reply: told });
  }
  return found;
}

/** The tools as they were listed last, all pages. */
function toolsOf(exchanges: readonly Exchange[]): FakeTool[] {
  const tools = new Map<string, FakeTool>();
  for (const { request, reply } of exchanges) {
    if (request.method !== "tools/list") continue;
    for (const tool of (reply.result?.["tools"] ?? []) as FakeTool[]) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

function answerFrom(tool: string, calls: readonly Exchange[]): NonNullable<FakeTool["answer"]> {
  const known = new Map<string, Message[]>();
  for (const { request, reply } of calls) {
    if (request.params?.name !== tool) continue;
    const key = canonical(request.params.arguments ?? {});
    known.set(key, [...(known.get(key) ?? []), reply]);
  }
  return (args) => {
    const replies = known.get(canonical(args)) ?? [];
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === undefined)
      return { error: { code: -32001, message: `no such call of ${tool} was recorded` } };
    return reply.error === undefined ? reply.result : { error: reply.error };
  };
}

/** Equal for equal values, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
