import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTcp } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ServerConfig } from "../../src/index.js";
import { servers as fixtures } from "../support.js";
import type { Json } from "./rig.js";

/** How the fleet reaches it: a process of 2025-11-25, HTTP with sessions, HTTP of 2026-07-28. */
export type UpstreamKind = "stdio" | "http" | "modern";

/** One request under way at the upstream. */
export interface Taken {
  readonly id: unknown;
  readonly params: Json;
  readonly meta: Json;
  /** Aborts when it is cancelled: by a notification, or over HTTP of 2026-07-28 by the end of its stream. */
  readonly signal: AbortSignal;
  readonly notify: (method: string, params: Json) => void;
  /** Asks the client on the stream of this request (over stdio there is one stream). */
  readonly ask: (method: string, params: Json) => Promise<Json>;
}

type Handler = (taken: Taken) => unknown;
interface Wire {
  send(message: Json): void;
  end?(): void;
}

const subscription = "io.modelcontextprotocol/subscriptionId";

/** A server whose every move is the test's, behind a real process or a real socket. */
export class Upstream {
  readonly kind: UpstreamKind;
  readonly received: { method: string; id: unknown; params: Json }[] = [];
  readonly cancelled: unknown[] = [];
  readonly open = new Map<unknown, { controller: AbortController; wire: Wire }>();
  readonly handlers = new Map<string, Handler>();
  /** The HTTP headers of each POST of HTTP. */
  readonly heads: IncomingMessage["headers"][] = [];
  pid: number | undefined;
  lives = 0;
  #config: ServerConfig | undefined;
  #server: Server | undefined;
  #streams = new Set<Wire>();
  readonly #sockets = new Set<Socket>();
  readonly #asked = new Map<unknown, (answer: Json) => void>();
  #count = 0;
  #listen: unknown;

  constructor(kind: UpstreamKind, capabilities: Json = { tools: { listChanged: true } }, more: Json = {}) {
    this.kind = kind;
    this.on("ping", () => ({}));
    this.on("initialize", ({ params }) => ({
      protocolVersion: params["protocolVersion"],
      capabilities,
      serverInfo: { name: "upstream", version: "1" },
      ...more,
    }));
    this.on("server/discover", () => ({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      ...more,
    }));
    this.on("subscriptions/listen", ({ id, params, notify }) => {
      this.#listen = id;
      notify("notifications/subscriptions/acknowledged", {
        notifications: params["notifications"],
        _meta: { [subscription]: id },
      });
      return new Promise(() => undefined);
    });
    this.tools([{ name: "run" }]);
  }

  get config(): ServerConfig {
    if (this.#config === undefined) throw new Error("start it first");
    return this.#config;
  }

  on(method: string, handler: Handler): this {
    this.handlers.set(method, handler);
    return this;
  }

  tools(tools: readonly Json[]): this {
    const listed = tools.map((each) => ({ inputSchema: { type: "object" }, ...each }));
    return this.on("tools/list", () => ({ ...this.#complete, tools: listed }));
  }

  list(kind: "resources" | "resources/templates" | "prompts", items: readonly Json[]): this {
    const field = kind === "resources/templates" ? "resourceTemplates" : kind;
    return this.on(`${kind}/list`, () => ({ ...this.#complete, [field]: items }));
  }

  calls(method: string): { method: string; id: unknown; params: Json }[] {
    return this.received.filter((each) => each.method === method);
  }

  /** Something that belongs to no request. */
  tell(method: string, params: Json = {}): void {
    const about = this.kind === "modern" ? { ...params, _meta: { [subscription]: this.#listen } } : params;
    for (const wire of this.#streams) wire.send({ method, params: about });
  }

  /** Ends its connections as a crash does. */
  crash(): void {
    if (this.pid !== undefined) process.kill(this.pid, "SIGKILL");
    for (const socket of this.#sockets) socket.destroy();
  }

  async start(id: string, extra: Partial<ServerConfig> = {}): Promise<this> {
    this.#server =
      this.kind === "stdio"
        ? createTcp((socket) => this.#pipe(socket))
        : createServer((incoming, response) => void this.#http(incoming, response));
    if (this.kind !== "stdio") this.#server.on("connection", (socket: Socket) => this.#keep(socket));
    await new Promise<void>((ready) => this.#server?.listen(0, "127.0.0.1", ready));
    const { port } = this.#server.address() as AddressInfo;
    this.#config =
      this.kind === "stdio"
        ? {
            id,
            command: process.execPath,
            args: [join(fixtures, "gatewayRelay.mjs")],
            env: { CONTROL: String(port) },
            ...extra,
          }
        : {
            id,
            url: `http://127.0.0.1:${port}/mcp`,
            protocolVersion: this.kind === "modern" ? "2026-07-28" : "2025-11-25",
            ...extra,
          };
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server?.close(closed));
  }

  get #complete(): Json {
    return this.kind === "modern" ? { resultType: "complete" } : {};
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
  }

  #pipe(socket: Socket): void {
    this.#keep(socket);
    this.lives++;
    const wire: Wire = {
      send: (message) => void socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    };
    this.#streams.add(wire);
    socket.on("close", () => this.#streams.delete(wire));
    createInterface({ input: socket }).on("line", (line) => {
      if (/^\d+$/.test(line)) this.pid = Number(line);
      else this.#take(JSON.parse(line) as Json, wire);
    });
  }

  async #http(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const stream: Wire = {
      send: (message) => void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`),
      end: () => void response.end(),
    };
    const isLegacy = this.kind === "http";
    const headers = {
      "content-type": "text/event-stream",
      ...(isLegacy ? { "mcp-session-id": "only" } : {}),
    };
    if (incoming.method === "GET" && isLegacy) {
      response.writeHead(200, headers).flushHeaders();
      this.#streams.add(stream);
      return void response.on("close", () => this.#streams.delete(stream));
    }
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    this.heads.push(incoming.headers);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    if (message["method"] === undefined || message["id"] === undefined) {
      this.#take(message, stream);
      return void response.writeHead(202).end();
    }
    if (message["method"] === "initialize") this.lives++;
    response.writeHead(200, headers).flushHeaders();
    if (message["method"] === "subscriptions/listen") this.#streams.add(stream);
    const { id } = message;
    response.on("close", () => {
      this.#streams.delete(stream);
      if (!response.writableFinished && this.kind === "modern") this.#cancel(id);
    });
    this.#take(message, stream);
  }

  #take(message: Json, wire: Wire): void {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      this.#asked.get(id)?.(message);
      return;
    }
    this.received.push({ method, id, params });
    if (method === "notifications/cancelled") return this.#cancel(params["requestId"]);
    if (id === undefined) return;
    const controller = new AbortController();
    this.open.set(id, { controller, wire });
    const settle = (answer: Json): void => {
      this.open.delete(id);
      wire.send({ id, ...answer });
      wire.end?.();
    };
    const handler = this.handlers.get(String(method));
    if (handler === undefined) return settle({ error: { code: -32_601, message: "Method not found" } });
    const taken: Taken = {
      id,
      params,
      meta: params["_meta"] ?? {},
      signal: controller.signal,
      notify: (name, about) => wire.send({ method: name, params: about }),
      ask: (name, about) =>
        new Promise((resolve) => {
          const own = `up-${++this.#count}`;
          this.#asked.set(own, resolve);
          wire.send({ id: own, method: name, params: about });
        }),
    };
    void run();

    async function run(): Promise<void> {
      const result = await handler!(taken);
      if (result !== undefined) settle(isError(result) ? { error: result.error } : { result });
    }
  }

  #cancel(id: unknown): void {
    this.cancelled.push(id);
    this.open.get(id)?.controller.abort();
    this.open.delete(id);
  }
}

function isError(value: unknown): value is { error: Json } {
  return typeof value === "object" && value !== null && "error" in value;
}

/** A result of a tool that holds this text, in the words of both eras. */
export function said(text: unknown, more: Json = {}): Json {
  return { resultType: "complete", content: [{ type: "text", text: String(text) }], ...more };
}
