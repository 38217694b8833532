import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Carrier } from "./carrier.js";
import type { FakeBehaviour } from "./behaviour.js";
import type { Incoming, FakeWire } from "./types.js";
import { respondWith } from "./httpFaults.js";

/** A fake server behind streamable HTTP on 127.0.0.1, with sessions, as the revisions with `initialize` have them. */
export async function httpFake(behaviour: FakeBehaviour): Promise<Carrier> {
  const sessions = new Map<string, HttpSession>();
  const server = createServer((request, response) => {
    response.on("error", () => response.destroy());
    void handle(behaviour, sessions, request, response);
  });
  server.unref();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    config: { url: `http://127.0.0.1:${port}/mcp` },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

async function handle(
  behaviour: FakeBehaviour,
  sessions: Map<string, HttpSession>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = sessions.get(String(request.headers["mcp-session-id"]));
  if (request.method === "POST") {
    const message = JSON.parse(await bodyOf(request)) as Incoming;
    if (message.method === "initialize") {
      const fresh = new HttpSession(behaviour, sessions);
      if (behaviour.atOpen(fresh.generation).some(({ fault }) => fault === "refuse"))
        return void response.socket?.destroy();
      return fresh.take(message, response);
    }
    return session === undefined ? status(response, 404) : session.take(message, response);
  }
  if (session === undefined) return status(response, 404);
  if (request.method === "GET") return session.listen(response);
  if (request.method === "DELETE") session.end();
  return status(response, request.method === "DELETE" ? 200 : 405);
}

class HttpSession implements FakeWire {
  readonly generation: number;
  readonly #id = randomUUID();
  readonly #behaviour: FakeBehaviour;
  readonly #sessions: Map<string, HttpSession>;
  readonly #exchanges = new Map<string, ServerResponse>();
  readonly #unheard: object[] = [];
  #stream: ServerResponse | undefined;

  constructor(behaviour: FakeBehaviour, sessions: Map<string, HttpSession>) {
    this.#behaviour = behaviour;
    this.#sessions = sessions;
    this.generation = ++behaviour.generation;
    sessions.set(this.#id, this);
    behaviour.wires.add(this);
  }

  take(message: Incoming, response: ServerResponse): void {
    response.setHeader("mcp-session-id", this.#id);
    if (message.id === undefined || message.method === undefined) status(response, 202);
    else this.#exchanges.set(JSON.stringify(message.id), response);
    this.#behaviour.receive(message, this);
  }

  listen(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    this.#stream = response;
    for (const message of this.#unheard.splice(0)) response.write(event(message));
  }

  send(message: { readonly id?: unknown; readonly method?: unknown }): void {
    if (message.method !== undefined) return this.#notify(message);
    const response = this.#exchange(message.id);
    if (response === undefined) return;
    if (this.#behaviour.script.sse === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(event(message));
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(message));
    }
  }

  half(message: { readonly id?: unknown }): void {
    const response = this.#exchange(message.id);
    const text = JSON.stringify(message);
    response?.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response?.write(text.slice(0, text.length / 2), () => response.destroy());
  }

  end(): void {
    this.#forget();
    for (const response of this.#exchanges.values()) response.socket?.destroy();
    this.#stream?.socket?.destroy();
  }

  expire(id: unknown): void {
    this.#forget();
    const response = this.#exchange(id);
    if (response !== undefined) status(response, 404);
    this.#stream?.destroy();
  }

  respond(fault: Parameters<typeof respondWith>[0], message: { readonly id?: unknown }): void {
    const response = this.#exchange(message.id);
    if (response !== undefined) respondWith(fault, message, response);
  }

  #notify(message: object): void {
    if (this.#stream === undefined) this.#unheard.push(message);
    else this.#stream.write(event(message));
  }

  /** The exchange of a request; for an id that nobody asked with, the oldest one that waits. */
  #exchange(id: unknown): ServerResponse | undefined {
    const wanted = JSON.stringify(id) ?? "";
    const key = this.#exchanges.has(wanted) ? wanted : [...this.#exchanges.keys()][0];
    if (key === undefined) return undefined;
    const response = this.#exchanges.get(key);
    this.#exchanges.delete(key);
    return response;
  }

  #forget(): void {
    this.#sessions.delete(this.#id);
    this.#behaviour.wires.delete(this);
  }
}

function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function status(response: ServerResponse, code: number): void {
  response.writeHead(code).end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
