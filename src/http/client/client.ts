import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type {
  ApprovalRequest,
  Decision,
  Fact,
  ServerConfig,
  ServerStatus,
  ToolDescriptor,
  ToolResult,
} from "../../index.js";
import type { EventOptions } from "./events.js";
import { eventsOf } from "./events.js";
import type { ServiceInfo } from "../service/lock.js";
import { readToken } from "../guard/token.js";

/** A problem the service answered with; `code` is the stable slug (docs/http-api.md). */
export class ServiceError extends Error {
  /** Always `ServiceError`. */
  override readonly name = "ServiceError";
  /** Status of the answer (RFC 9110, 15). */
  readonly status: number;
  /** The stable slug, such as `server-not-found`; `unknown` when the answer was no problem document. */
  readonly code: string;
  /** The whole problem document (RFC 9457); empty when there was none. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** `problem` is the document of the answer; its `detail` or `title` becomes the message. */
  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(
      textIn(problem, "detail") ?? textIn(problem, "title") ?? `the service answered with status ${status}`,
    );
    this.status = status;
    this.code = textIn(problem, "code") ?? "unknown";
    this.problem = problem;
  }
}

/**
 * Speaks to a running service of this user. Every method rejects with ServiceError for a problem it answered with, and
 * with the error of the connection when nobody answers.
 */
export interface ServiceClient {
  /** All servers with their state, in the order of the configuration. */
  servers(): Promise<ServerStatus[]>;
  /** One server; `server-not-found` when there is none. */
  server(id: string): Promise<ServerStatus>;
  /** All tools as an agent sees them. */
  tools(): Promise<ToolDescriptor[]>;
  /** A ToolResult whatever becomes of the call; aborting cancels it. */
  call(
    name: string,
    args?: unknown,
    options?: { timeout?: number | string; signal?: AbortSignal },
  ): Promise<ToolResult>;
  /** Facts from now on, or after a sequence number; ends when the service does or the signal aborts. */
  events(options?: EventOptions): AsyncIterableIterator<Fact>;
  /** Open questions, oldest first. */
  approvals(): Promise<ApprovalRequest[]>;
  /** Answers a question; `approval-not-found` when it is not open (any more). */
  approve(id: string, decision: Decision): Promise<void>;
  /** Connects and waits until it is ready; `connect-failed` with the cause, `server-disabled`, `server-not-found`. */
  connect(id: string): Promise<ServerStatus>;
  /** Ends its life; it rests until somebody connects or calls. */
  disconnect(id: string): Promise<ServerStatus>;
  /** Begins a new life and waits until it is ready; `restart-failed` when the old one goes on, else as `connect`. */
  restart(id: string): Promise<ServerStatus>;
  /** Switches an entry on, where it is written down. */
  enable(id: string): Promise<ServerStatus>;
  /** Switches an entry off; its process ends. */
  disable(id: string): Promise<ServerStatus>;
  /** Adds an entry, or changes the one with its id; `invalid-config` says what is wrong. */
  saveServer(config: ServerConfig): Promise<ServerStatus>;
  /** Removes an entry; its process ends. */
  removeServer(id: string): Promise<void>;
  /** The consumers of the gateway; without their tokens. */
  consumers(): Promise<ConsumerRow[]>;
  /** Adds a consumer or changes a known one; the token only of a new one, never shown again. */
  addConsumer(
    name: string,
    config?: object,
    expiresAt?: number,
  ): Promise<{
    /** Only of a new consumer. */
    token?: string;
  }>;
  /** A new token; the old one is void at once. */
  rotateConsumer(
    name: string,
    expiresAt?: number,
  ): Promise<{
    /** The new token; never shown again. */
    token: string;
  }>;
  /** Removes a consumer; its token is void at once. */
  removeConsumer(name: string): Promise<void>;
  /** Whether servers with a url may be connected. */
  network(): Promise<boolean>;
  /** Switches that; resolves with how it is now. */
  setNetwork(enabled: boolean): Promise<boolean>;
  /** A new link to the dashboard that is good once, for ten minutes. */
  loginLink(): Promise<string>;
  /** Closes the connections; open calls reject. The service goes on. */
  close(): void;
}

/** A consumer of the gateway as the service tells it. */
export interface ConsumerRow {
  /** Its name. */
  readonly name: string;
  /** Its configuration: scope, mode, limits. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What is known of its token; absent when none opens it. */
  readonly token?: {
    /** When it was made, in epoch ms. */
    readonly createdAt: number;
    /** When it becomes void, in epoch ms; absent for never. */
    readonly expiresAt?: number;
    /** When it was last used, in epoch ms; absent before the first use. */
    readonly lastUsedAt?: number;
  };
  /** Requests under way. */
  readonly inFlight: number;
  /** Open sessions. */
  readonly sessions: number;
  /** Open event streams. */
  readonly streams: number;
  /** Calls that wait for an answer of the consumer. */
  readonly parked: number;
  /** Calls so far. */
  readonly calls: number;
}

/** A client for the service that `findService(home)` found. Rejects when its token cannot be read. */
export async function connectService(home: string, info: ServiceInfo): Promise<ServiceClient> {
  return createServiceClient(info, await readToken(home));
}

/** A client for a service at a known address, with its token. Nothing is sent before the first method. */
export function createServiceClient(
  { url, socket }: Pick<ServiceInfo, "url" | "socket">,
  token: string,
): ServiceClient {
  const agent = new Agent({ keepAlive: true });
  const base = new URL(url ?? "http://localhost");
  const send = (
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(method === "GET" ? {} : { "content-type": "application/json" }),
      };
      const to = socket === undefined ? { host: base.hostname, port: base.port } : { socketPath: socket };
      const outgoing = httpRequest({
        ...to,
        agent,
        method,
        path,
        headers,
        ...(signal === undefined ? {} : { signal }),
      });
      outgoing.once("response", resolve).once("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const ask = async <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
    answerOf<T>(await send(method, path, body, signal));
  const api = "/api/mcp";
  const consumer = (name: string): string => `${api}/consumers/${encodeURIComponent(name)}`;
  const one = (id: string): string => `${api}/servers/${encodeURIComponent(id)}`;
  return {
    servers: () => ask("GET", `${api}/servers`),
    server: (id) => ask("GET", one(id)),
    tools: () => ask("GET", `${api}/tools`),
    call: (name, args, { timeout, signal } = {}) =>
      ask(
        "POST",
        `${api}/tools/${encodeURIComponent(name)}/call`,
        { arguments: args ?? {}, timeout },
        signal,
      ),
    events: (options = {}) =>
      eventsOf((path, signal) => send("GET", path, undefined, signal).then(okay), options),
    approvals: () => ask("GET", `${api}/approvals`),
    approve: (id, decision) => ask("POST", `${api}/approvals/${encodeURIComponent(id)}`, { decision }),
    connect: (id) => ask("POST", `${one(id)}/connect`),
    disconnect: (id) => ask("POST", `${one(id)}/disconnect`),
    restart: (id) => ask("POST", `${one(id)}/restart`),
    enable: (id) => ask("POST", `${one(id)}/enable`),
    disable: (id) => ask("POST", `${one(id)}/disable`),
    saveServer: (config) => ask("POST", `${api}/servers`, config),
    removeServer: (id) => ask("DELETE", one(id)),
    consumers: () => ask("GET", `${api}/consumers`),
    addConsumer: (name, config = {}, expiresAt) =>
      ask("POST", `${api}/consumers`, { name, config, ...(expiresAt === undefined ? {} : { expiresAt }) }),
    rotateConsumer: (name, expiresAt) =>
      ask("POST", `${consumer(name)}/rotate`, expiresAt === undefined ? {} : { expiresAt }),
    removeConsumer: (name) => ask("DELETE", consumer(name)),
    network: async () => (await ask<{ enabled: boolean }>("GET", `${api}/network`)).enabled,
    setNetwork: async (enabled) =>
      (await ask<{ enabled: boolean }>("POST", `${api}/network`, { enabled })).enabled,
    loginLink: async () => (await ask<{ url: string }>("POST", `${api}/login-links`)).url,
    close: () => agent.destroy(),
  };
}

function textIn(problem: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = problem[member];
  return typeof value === "string" ? value : undefined;
}

async function answerOf<T>(response: IncomingMessage): Promise<T> {
  const text = await textOf(await okay(response));
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function okay(response: IncomingMessage): Promise<IncomingMessage> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  throw new ServiceError(status, problemOf(await textOf(response)));
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

function problemOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not a problem document, so not an answer of this service: the status is all there is.
    return {};
  }
}
