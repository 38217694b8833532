import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { eventsOf } from "./events.js";
import type { ServiceInfo } from "../service/lock.js";
import { readToken } from "../guard/token.js";
import type { ServiceClient } from "./contract.js";
import { ServiceError } from "./serviceError.js";

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
    attention: () => ask("GET", `${api}/attention`),
    approvals: () => ask("GET", `${api}/approvals`),
    approve: (id, decision) => ask("POST", `${api}/approvals/${encodeURIComponent(id)}`, { decision }),
    connect: (id) => ask("POST", `${one(id)}/connect`),
    disconnect: (id) => ask("POST", `${one(id)}/disconnect`),
    restart: (id) => ask("POST", `${one(id)}/restart`),
    enable: (id) => ask("POST", `${one(id)}/enable`),
    disable: (id) => ask("POST", `${one(id)}/disable`),
    saveServer: (config) => ask("PUT", one(config.id), config),
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
