import { spawn } from "node:child_process";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, realClock } from "../../src/clock.js";
import { defaultLimits, type Limits } from "../../src/spec.js";
import type { Cause } from "../../src/errors.js";
import { createHttpTransport, type HttpOptions } from "../../src/transport/http.js";
import type { Envelope, Loss, Transport } from "../../src/transport/transport.js";

type Json = Record<string, unknown>;

/** How a request ended: with the message that answers it, or with a loss. */
export interface Outcome {
  readonly answer?: Json;
  readonly loss?: Loss;
}

/** What the layer above a transport does, reduced to what tests need. */
export class Peer {
  readonly transport: Transport;
  readonly messages: Json[] = [];
  readonly warnings: string[] = [];
  readonly closed: Cause[] = [];
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  #nextId = 1;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  async open(): Promise<this> {
    await this.transport.open({
      onMessage: (message) => {
        const answer = message as Json;
        this.messages.push(answer);
        this.#settle(answer?.["id"], { answer });
      },
      onLost: (id, loss) => this.#settle(id, { loss }),
      onClosed: (cause) => void this.closed.push(cause),
      onWarning: (kind, message) => void this.warnings.push(`${kind}: ${message}`),
    });
    return this;
  }

  request(method: string, params: Json = {}, about: Partial<Envelope> = {}): Promise<Outcome> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(String(id), resolve);
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const taken = this.transport.send(text, { method, id, ...about });
      if (typeof taken !== "number") this.#settle(id, { loss: { sent: "no", cause: taken } });
    });
  }

  call(name: string, args: Json = {}): Promise<Outcome> {
    return this.request("tools/call", { name, arguments: args });
  }

  notify(method: string): void {
    this.transport.send(JSON.stringify({ jsonrpc: "2.0", method }), { method });
  }

  async initialize(version = "2025-11-25"): Promise<Outcome> {
    const clientInfo = { name: "test", version: "1" };
    const outcome = await this.request("initialize", {
      protocolVersion: version,
      capabilities: {},
      clientInfo,
    });
    const result = outcome.answer?.["result"] as Json | undefined;
    if (result === undefined) return outcome;
    this.transport.agreed(String(result["protocolVersion"]));
    this.notify("notifications/initialized");
    return outcome;
  }

  /** The id that the next request will have. */
  get nextId(): number {
    return this.#nextId;
  }

  #settle(id: unknown, outcome: Outcome): void {
    const resolve = this.#waiting.get(String(id));
    this.#waiting.delete(String(id));
    resolve?.(outcome);
  }
}

/** An open transport to a url that is closed when the test ends. */
export async function connect(
  url: string,
  more: Partial<HttpOptions> & { limits?: Limits } = {},
): Promise<Peer> {
  const target = { kind: "http" as const, url, headers: {} };
  const transport = createHttpTransport({ id: "fake", target, limits: defaultLimits, ...more });
  onTestFinished(async () => void (await transport.close()));
  return new Peer(transport).open();
}

/** A clock whose timers run `factor` times faster than real ones. */
export function fastClock(factor: number): Clock {
  return {
    ...realClock,
    setTimeout: (callback, delayMs) => realClock.setTimeout(callback, delayMs / factor),
  };
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly message: Json;
  readonly socket: Socket;
  readonly at: number;
}

export interface TestServer {
  readonly url: string;
  readonly origin: string;
  readonly seen: Seen[];
  readonly connections: () => number;
}

type Answer = (seen: Seen, response: http.ServerResponse) => unknown;

/** A server inside the test; what `answer` leaves open is plain MCP (`plainAnswer`). Closed when the test ends. */
export async function serve(answer: Answer = () => false): Promise<TestServer> {
  const seen: Seen[] = [];
  let connections = 0;
  const server = http.createServer((request, response) => {
    void take(request, response);
  });
  const take = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const body = await readAll(request);
    const entry: Seen = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
      message: body === "" ? {} : (JSON.parse(body) as Json),
      socket: request.socket,
      at: Date.now(),
    };
    seen.push(entry);
    if (answer(entry, response) === false) plainAnswer(entry, response);
  };
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/mcp`, origin, seen, connections: () => connections };
}

/** The plain answer of a well-behaved server without sessions. */
export function plainAnswer({ method, message }: Seen, response: http.ServerResponse): void {
  if (method !== "POST") return void response.writeHead(405).end();
  if (message["id"] === undefined) return void response.writeHead(202).end();
  json(response, 200, { jsonrpc: "2.0", id: message["id"], result: resultFor(message) });
}

export function json(response: http.ServerResponse, status: number, body: unknown, headers: Json = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...(headers as Record<string, string>) });
  response.end(JSON.stringify(body));
}

export function sse(response: http.ServerResponse, text?: string): http.ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (text !== undefined) response.write(text);
  return response;
}

export function resultFor(message: Json): Json {
  const params = (message["params"] ?? {}) as Json;
  if (message["method"] === "initialize") {
    return {
      protocolVersion: params["protocolVersion"],
      capabilities: {},
      serverInfo: { name: "t", version: "1" },
    };
  }
  return { echo: params["arguments"] ?? null };
}

/** A JSON-RPC answer as the data of one event. */
export function eventOf(message: Json, result: unknown = { ok: true }): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n\n`;
}

async function readAll(request: http.IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

export interface Fixture {
  readonly url: string;
  stats(): Promise<Record<string, number>>;
}

/** A fake server as a process of its own, ended when the test ends. */
export async function fixture(
  name: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Fixture> {
  const file = join(import.meta.dirname, "../fixtures/servers", name);
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
      const found = /listening (\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${name} ended: ${out}`)));
  });
  const stats = async (): Promise<Record<string, number>> =>
    (await fetch(new URL("/stats", url))).json() as Promise<Record<string, number>>;
  return { url, stats };
}

/** Resolves when the condition holds; fails after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
