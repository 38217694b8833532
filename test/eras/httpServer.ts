import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Json = Record<string, unknown>;

/** One POST as the scripted server saw it. */
export interface Seen {
  readonly method: string;
  readonly id: unknown;
  readonly params: Json;
  readonly headers: http.IncomingHttpHeaders;
}

/** What the script answers: a result, an error, or a raw reply. Undefined leaves the exchange open. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: Json; readonly status?: number; readonly id?: unknown }
  | {
      readonly status: number;
      readonly text?: string;
      readonly type?: string;
      readonly sse?: readonly Json[];
    }
  | undefined;

export interface Scripted {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Exchanges whose connection the client closed before they were answered. */
  readonly aborted: readonly Seen[];
  methods(): string;
  /** Answers a request that was left open. */
  answer(seen: Seen, answer: Answer): void;
  /** Writes one event of the stream of a request; opens the stream with the first. */
  event(seen: Seen, message: Json): void;
  end(seen: Seen): void;
}

/** A server on a free port of 127.0.0.1 whose every answer the test writes; closed after the test. */
export async function scriptHttp(
  script: (seen: Seen) => Answer | Promise<Answer>,
  onGet: (response: http.ServerResponse) => void = (response) => void response.writeHead(405).end(),
): Promise<Scripted> {
  const seen: Seen[] = [];
  const aborted: Seen[] = [];
  const open = new Map<Seen, http.ServerResponse>();

  function give(one: Seen, answer: Answer): void {
    const response = open.get(one);
    if (response === undefined || answer === undefined) return;
    const json = (status: number, body: Json): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if ("result" in answer) json(200, { jsonrpc: "2.0", id: one.id, result: answer.result });
    else if ("error" in answer)
      json(answer.status ?? 200, {
        jsonrpc: "2.0",
        id: "id" in answer ? answer.id : one.id,
        error: answer.error,
      });
    else
      response
        .writeHead(answer.status, { "content-type": answer.type ?? "text/plain" })
        .end(answer.text ?? "");
  }

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.method !== "POST")
      return request.method === "GET" ? onGet(response) : void response.writeHead(405).end();
    let raw = "";
    for await (const chunk of request) raw += String(chunk);
    const message = JSON.parse(raw) as Json;
    const one: Seen = {
      method: String(message["method"]),
      id: message["id"],
      params: (message["params"] ?? {}) as Json,
      headers: request.headers,
    };
    seen.push(one);
    open.set(one, response);
    response.once("close", () => {
      if (!response.writableEnded) aborted.push(one);
    });
    if (one.id === undefined) return void response.writeHead(202).end();
    give(one, await script(one));
  }

  const server = http.createServer((request, response) => void handle(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    aborted,
    methods: () => seen.map((each) => each.method).join(" "),
    answer: give,
    event(one, message) {
      const response = open.get(one);
      if (response?.headersSent === false) response.writeHead(200, { "content-type": "text/event-stream" });
      response?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    },
    end: (one) => void open.get(one)?.end(),
  };
}

/** The answers of a small modern server: discover, lists of the given tools, calls that echo. */
export function modernAnswer(
  one: Seen,
  tools: readonly Json[] = [{ name: "echo", inputSchema: { type: "object" } }],
): Answer {
  switch (one.method) {
    case "server/discover":
      return { result: discovery({ tools: {} }) };
    case "tools/list":
      return { result: { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" } };
    case "tools/call":
      return {
        result: {
          resultType: "complete",
          content: [{ type: "text", text: JSON.stringify(one.params["arguments"]) }],
        },
      };
    default:
      return { error: { code: -32601, message: "Method not found" }, status: 404 };
  }
}

/** A DiscoverResult of 2026-07-28 with these capabilities. */
export function discovery(capabilities: Json): Json {
  const _meta = { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1.0.0" } };
  return {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities,
    ttlMs: 0,
    cacheScope: "private",
    _meta,
  };
}

/** The answers of a small legacy server. */
export function legacyAnswer(one: Seen): Answer {
  switch (one.method) {
    case "initialize": {
      const { protocolVersion } = one.params;
      return {
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } },
      };
    }
    case "tools/list":
      return { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: JSON.stringify(one.params["arguments"]) }] } };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}
