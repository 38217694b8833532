import type { Server } from "node:http";
import { ConfigError, realClock, type Supervisor } from "../../index.js";
import { createApi } from "../routes/api.js";
import type { ApiOptions } from "../routes/apiOptions.js";
import type { GuardRules } from "../guard/guard.js";
import { listenSocket, listenTcp } from "./listen.js";
import { createNodeServer, type ListenerLimits } from "./listener.js";
import { localHost } from "../guard/loopback.js";
import { acquireLock } from "./lock.js";
import type { Mount } from "./mount.js";
import { ensureToken } from "../guard/token.js";

/** Where and how to serve. Everything of ApiOptions but the tokens, which come from the state folder. */
export interface ServeOptions extends Omit<ApiOptions, "token" | "agentToken" | "rules" | "baseUrl"> {
  /** State folder: holds the tokens and the lock. */
  readonly home: string;
  /** Default: 127.0.0.1. Another than a loopback address needs `allowRemote`. */
  readonly host?: string;
  /** Default: 0, any free one. */
  readonly port?: number;
  /** Path of a unix socket (mode 0600) instead of an address. Default: none. */
  readonly socket?: string;
  /** Allows other machines to reach the service; it speaks plain HTTP, so put a TLS proxy before it. Default: false. */
  readonly allowRemote?: boolean;
  /** More Host values to answer to, such as the name of the proxy. Default: none. */
  readonly hosts?: readonly string[];
  /** Limits of the listening server. */
  readonly listener?: Partial<ListenerLimits>;
  /** What else is served on the address; closed with the service. */
  readonly mounts?: readonly Mount[];
}

/** A running service of one state folder. */
export interface Service {
  /** `http://127.0.0.1:<port>`, or `http://localhost` over a unix socket. */
  readonly url: string;
  /** Path of the unix socket, when it listens on one. */
  readonly socket?: string;
  /** TCP port, unless it listens on a unix socket. */
  readonly port?: number;
  /** A link into the dashboard that is good once, for ten minutes. */
  loginLink(): string;
  /** Ends the service; the supervisor goes on. */
  close(): Promise<void>;
}

/**
 * Starts the service of a state folder. Rejects with ConfigError for an address that others could reach, with
 * ServiceRunningError when one runs already, and when port, socket or folder cannot be had.
 */
export async function serve(supervisor: Supervisor, options: ServeOptions): Promise<Service> {
  const { host = "127.0.0.1", home, socket } = options;
  if (socket === undefined) assertReachable(host, options.allowRemote === true);
  const lock = await acquireLock(home, (options.clock ?? realClock).now());
  try {
    const token = await ensureToken(home);
    const agentToken = await ensureToken(home, "agent");
    const service = await listen(supervisor, { ...options, host, agentToken }, token);
    await lock.tell(socket === undefined ? { url: service.url } : { socket });
    const close = async (): Promise<void> => {
      await service.close();
      await lock.release();
    };
    return { ...service, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function listen(
  supervisor: Supervisor,
  options: ServeOptions & { host: string; agentToken: string },
  token: string,
): Promise<Service> {
  const { host, socket, limits } = options;
  // The port is known only once the server listens, and the API must be there before: sets filled in afterwards.
  const hosts = new Set(options.hosts);
  const origins = new Set(options.origins);
  const rules: GuardRules = { hosts, origins, bodyBytes: limits?.bodyBytes ?? 4 * 1024 * 1024 };
  let url = "http://localhost";
  let port: number | undefined;
  const api = createApi(supervisor, { ...options, token, rules, baseUrl: () => url });
  const mounts = options.mounts ?? [];
  const listener = { headersMs: 5000, requestMs: 15_000, connections: 256, ...options.listener };
  const server = createNodeServer(api, rules, listener, mounts);
  try {
    if (socket === undefined) {
      port = await listenTcp(server, host, options.port ?? 0);
      for (const name of namesOf(host)) hosts.add(port === 80 ? name : `${name}:${port}`);
      url = `http://${hostText(localHost(host))}:${port}`;
    } else {
      await listenSocket(server, socket);
      hosts.add("localhost");
    }
  } catch (error) {
    api.close();
    throw error;
  }
  for (const name of hosts) origins.add(`http://${name}`);
  return {
    url,
    ...(port === undefined ? {} : { port }),
    ...(socket === undefined ? {} : { socket }),
    loginLink: () => api.loginLink(),
    close: async () => {
      for (const mount of mounts) await mount.close?.();
      await shut(server, () => api.close());
    },
  };
}

async function shut(server: Server, closeApi: () => void): Promise<void> {
  closeApi();
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  // Calls still waiting are cancelled by this: their callers see a closed connection.
  server.closeAllConnections();
  await closed;
}

function assertReachable(host: string, allowRemote: boolean): void {
  if (["127.0.0.1", "::1", "localhost"].includes(host) || allowRemote) return;
  throw new ConfigError(
    `${host} is not a loopback address: other machines could reach the service. ` +
      "If that is wanted, allow it explicitly (allowRemote) and put a TLS proxy before it.",
  );
}

function namesOf(host: string): string[] {
  const loopback = ["127.0.0.1", "localhost", "[::1]"];
  const local = [...loopback, "0.0.0.0", "[::]"].includes(hostText(host));
  return local ? loopback : [hostText(host)];
}

function hostText(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
