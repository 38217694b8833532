import type { Fact, ServerConfig, Supervisor, ToolResult } from "../../src/index.js";
import { json, serve } from "../transport/httpHarness.js";
import type { Seen, TestServer } from "../transport/httpHarness.js";

export interface Script {
  /** Refuses everything of a life with this header. */
  refused?: (seen: Seen) => boolean;
  /** Holds back the answer to initialize, tools/list or a tool. */
  hold?: (seen: Seen) => Promise<void> | undefined;
  tools?: () => readonly object[];
  /** Gives out a session id. */
  session?: () => string;
}

export const echo = { name: "echo", description: "says it again", inputSchema: { type: "object" } };

/** A real HTTP server, by default without sessions. `calls` holds the value of the header `x-life` of each call. */
export async function answering(
  script: Script = {},
): Promise<TestServer & { lives(): string[]; calls: string[] }> {
  const calls: string[] = [];
  const server = await serve((seen, response) => {
    const { id, method, params } = seen.message as { id?: number; method?: string; params?: never };
    if (script.refused?.(seen) === true) return json(response, 401, { error: "no" });
    if (seen.method === "DELETE") return response.writeHead(200).end();
    if (seen.method !== "POST" || id === undefined) return false;
    const answer = async (): Promise<void> => {
      await script.hold?.(seen);
      const session = method === "initialize" ? script.session?.() : undefined;
      const headers = session === undefined ? {} : { "mcp-session-id": session };
      if (method === "tools/call") calls.push(lifeOf(seen));
      const result = resultOf(method, params, script);
      if (result === undefined)
        return json(response, 200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } });
      json(response, 200, { jsonrpc: "2.0", id, result }, headers);
    };
    void answer();
    return undefined;
  });
  const lives = (): string[] =>
    server.seen.filter(({ message }) => message["method"] === "initialize").map(lifeOf);
  return { ...server, lives, calls };
}

export function resultOf(method: string | undefined, params: unknown, script: Script): unknown {
  const given = (params ?? {}) as { protocolVersion?: string; arguments?: unknown };
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "x", version: "1" },
    };
  if (method === "tools/list") return { tools: script.tools?.() ?? [echo] };
  if (method !== "tools/call") return undefined;
  return { content: [{ type: "text", text: JSON.stringify(given.arguments) }] };
}

export function lifeOf({ headers }: Seen): string {
  return String(headers["x-life"]);
}

export const entry = (url: string, life = "1", extra: Partial<ServerConfig> = {}): ServerConfig => ({
  id: "h",
  transport: "http",
  url,
  headers: { "x-life": life },
  protocolVersion: "2025-11-25",
  ...extra,
});

/** Calls without a pause until it is told to stop; resolves with all results. */
export function callers(supervisor: Supervisor): { stop(): Promise<ToolResult[]>; count(): number } {
  const results: ToolResult[] = [];
  const stopping = new AbortController();
  const one = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      results.push(await supervisor.callTool("mcp_h_echo", { n: results.length }));
  };
  const all = Promise.all([one(), one(), one()]);
  return {
    count: () => results.length,
    async stop() {
      stopping.abort();
      await all;
      return results;
    },
  };
}

export function record(supervisor: Supervisor): Fact[] {
  const facts: Fact[] = [];
  supervisor.events$.subscribe((fact) => facts.push(fact));
  return facts;
}

export const states = (facts: readonly Fact[]): string[] =>
  facts.flatMap((fact) => (fact.type === "mcp.state" ? [`${fact.to} ${fact.generation}`] : []));

/** Something that others wait for until it is opened. */
export function gate(): { open(): void; readonly passed: Promise<void> } {
  const opened: (() => void)[] = [];
  const passed = new Promise<void>((resolve) => opened.push(resolve));
  return { open: () => opened[0]?.(), passed };
}
