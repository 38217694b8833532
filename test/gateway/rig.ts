import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach } from "vitest";
import type { ConsumerConfig } from "../../src/gateway/consumers/consumer.js";
import { createGateway } from "../../src/gateway/gateway.js";
import type { Gateway, GatewayOptions } from "../../src/gateway/gateway.js";
import { supervisorFleet } from "../../src/gateway/supervisorFleet.js";
import type { ServerConfig, Supervisor, SupervisorOptions } from "../../src/index.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";
import type { FakeScript, FakeServer } from "../../src/testing/index.js";
import { running } from "../support.js";
import { events } from "./events.js";
import type { Events } from "./events.js";
import type { Upstream } from "./upstream.js";

const cleanups: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

// Messages of tests are read freely; a wrong shape shows as a failed test.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>;

/** A gateway on a socket of 127.0.0.1. */
export class Rig {
  readonly supervisor: Supervisor;
  readonly gateway: Gateway;
  readonly url: string;

  constructor(supervisor: Supervisor, gateway: Gateway, url: string) {
    this.supervisor = supervisor;
    this.gateway = gateway;
    this.url = url;
  }

  /** Adds a consumer; gives its token. */
  consumer(name: string, config: ConsumerConfig = {}): string {
    const added = this.gateway.consumers.add(name, config);
    if (!("token" in added) || added.token === undefined) throw new Error(JSON.stringify(added));
    return added.token;
  }

  /** The official client of the first SDK, connected. */
  async client(token: string, path = "/mcp", capabilities: Json = {}): Promise<Client> {
    const client = new Client({ name: "tester", version: "1.0.0" }, { capabilities });
    await client.connect(transport(this.url + path, token));
    cleanups.push(() => client.close());
    return client;
  }

  /** A legacy session by hand. */
  async session(token: string, path = "/mcp", params: Json = {}): Promise<HandSession> {
    const response = await post(this.url + path, token, {
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "by-hand", version: "1" },
        ...params,
      },
    });
    const body = (await response.json()) as Json;
    return new HandSession(this.url + path, token, response.headers.get("mcp-session-id") ?? "", body);
  }
}

export function transport(url: string, token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

export class HandSession {
  readonly url: string;
  readonly token: string;
  readonly id: string;
  readonly welcome: Json;

  constructor(url: string, token: string, id: string, welcome: Json) {
    this.url = url;
    this.token = token;
    this.id = id;
    this.welcome = welcome;
  }

  send(message: Json, options: { signal?: AbortSignal; token?: string } = {}): Promise<Response> {
    return post(this.url, options.token ?? this.token, message, {
      headers: { "mcp-session-id": this.id },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  async ask(id: unknown, method: string, params: Json = {}): Promise<Json> {
    return answer(await this.send({ id, method, params }));
  }

  /** A request whose answer is read while it comes. */
  open(id: unknown, method: string, params: Json = {}): Promise<Events> {
    return events((signal) => this.send({ id, method, params }, { signal }));
  }

  /** The stream for what belongs to no request. */
  stream(): Promise<Events> {
    return events((signal) => this.other("GET", this.token, signal));
  }

  other(method: "GET" | "DELETE", token = this.token, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method,
      ...(signal === undefined ? {} : { signal }),
      headers: { authorization: `Bearer ${token}`, "mcp-session-id": this.id, accept: "text/event-stream" },
    });
  }
}

/** The answer of a POST, whether it came as JSON or on a stream; with what came before it. */
export async function answer(response: Response): Promise<Json> {
  const messages = await all(response);
  return messages.find((each) => !("method" in each)) ?? {};
}

export async function all(response: Response): Promise<Json[]> {
  const text = await response.text();
  if (text === "") return [];
  if (!String(response.headers.get("content-type")).includes("event-stream"))
    return [JSON.parse(text) as Json];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as Json);
}

export function post(
  url: string,
  token: string | undefined,
  message: Json | string,
  options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    body: typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

const prefix = "io.modelcontextprotocol/";

/** One modern request with all its headers. */
export function modern(
  url: string,
  token: string,
  id: unknown,
  method: string,
  params: Json = {},
  options: { capabilities?: Json; headers?: Record<string, string>; signal?: AbortSignal; meta?: Json } = {},
): Promise<Response> {
  const name = params["name"] ?? params["uri"] ?? params["taskId"];
  return post(
    url,
    token,
    {
      id,
      method,
      params: {
        ...params,
        _meta: {
          [`${prefix}protocolVersion`]: "2026-07-28",
          [`${prefix}clientCapabilities`]: options.capabilities ?? {},
          [`${prefix}clientInfo`]: { name: "modern-hand", version: "1" },
          ...options.meta,
        },
      },
    },
    {
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
        ...options.headers,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
}

export async function rigOver(supervisor: Supervisor, options: GatewayOptions = {}): Promise<Rig> {
  const gateway = createGateway(supervisorFleet(supervisor), options);
  const server = createServer((incoming, outgoing) => void gateway.handle(incoming, outgoing));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  cleanups.push(async () => {
    gateway.stop();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return new Rig(supervisor, gateway, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Servers of the test's own, a supervisor over them, and a gateway before it. */
export async function behind(
  upstreams: Record<string, Upstream>,
  options: GatewayOptions = {},
  supervisorOptions: SupervisorOptions = {},
  extra: Partial<ServerConfig> = {},
): Promise<Rig> {
  const started = await Promise.all(
    Object.entries(upstreams).map(([id, upstream]) => upstream.start(id, extra)),
  );
  for (const upstream of started) cleanups.push(() => upstream.close());
  const configs = started.map((each) => each.config);
  const supervisor = await running(configs, { consumers: true, ...supervisorOptions });
  cleanups.push(() => supervisor.stop());
  return rigOver(supervisor, options);
}

/** Ends something after the test. */
export function afterTest(cleanup: () => Promise<unknown> | void): void {
  cleanups.push(cleanup);
}

/** Opens a modern request whose answer is read while it comes. */
export function modernEvents(...[url, token, id, method, params, options]: Parameters<typeof modern>) {
  return events((signal) => modern(url, token, id, method, params, { ...options, signal }));
}

/** Fake servers, a supervisor over them, and a gateway before it. */
export async function rig(
  scripts: readonly FakeScript[],
  options: GatewayOptions = {},
  supervisorOptions: SupervisorOptions = {},
): Promise<{ rig: Rig; fakes: Record<string, FakeServer> }> {
  const fakes = await Promise.all(scripts.map((script) => fakeServer(script)));
  for (const fake of fakes) cleanups.push(() => fake.close());
  const { servers, transports } = fleetOf(...fakes);
  const supervisor = await running(servers, { transports, consumers: true, ...supervisorOptions });
  return {
    rig: await rigOver(supervisor, options),
    fakes: Object.fromEntries(fakes.map((fake) => [fake.id, fake])),
  };
}
