import type {
  AccountStatus,
  ApprovalRequest,
  ConfigProblem,
  Decision,
  ServerStatus,
  ToolDescriptor,
  ToolResult,
} from "../../../index.js";
import { keepPage, pageHeaders } from "./page.js";

/** A problem answer of the service; `status` 0 means that nobody answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The login that is in the way, for `login-running`. */
  readonly login: string | undefined;
  constructor(status: number, code: string, message: string, login?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.login = login;
  }
}

const api = "/api/mcp";

export const listServers = (signal?: AbortSignal): Promise<ServerStatus[]> =>
  ask("GET", `${api}/servers`, undefined, signal);
export const listTools = (): Promise<ToolDescriptor[]> => ask("GET", `${api}/tools`);
export const listApprovals = (): Promise<ApprovalRequest[]> => ask("GET", `${api}/approvals`);
export const listProblems = (): Promise<ConfigProblem[]> => ask("GET", `${api}/problems`);

/** A consumer of the gateway, as the API tells of it. */
export interface Consumer {
  readonly name: string;
  readonly config: {
    readonly servers?: readonly string[];
    readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
    readonly mode?: string;
  };
  readonly token?: { readonly lastUsedAt?: number };
  readonly sessions: number;
  readonly inFlight: number;
  readonly calls: number;
}

/** None where the service has no gateway. */
export const listConsumers = (): Promise<Consumer[]> => ask("GET", `${api}/consumers`);
export const rotateConsumer = (name: string): Promise<{ token: string }> =>
  ask("POST", `${api}/consumers/${encodeURIComponent(name)}/rotate`, {});
export const removeConsumer = (name: string): Promise<void> =>
  ask("DELETE", `${api}/consumers/${encodeURIComponent(name)}`, {});

/** A login that has begun, as the API tells of it; `url` is in this answer only. */
export interface BegunLogin {
  readonly login: string;
  readonly servers: readonly string[];
  readonly account: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly newScopes: readonly string[];
  readonly expiresAt: number;
  readonly url?: string;
}

export const listAccounts = (): Promise<AccountStatus[]> => ask("GET", `${api}/accounts`);
export const beginLogin = (server: string): Promise<BegunLogin> =>
  ask("POST", `${api}/servers/${encodeURIComponent(server)}/login`, {});
export const answerLogin = (login: string, callbackUrl: string): Promise<{ ok: boolean; text: string }> =>
  ask("POST", `${api}/logins/${encodeURIComponent(login)}/answer`, { callbackUrl });
export const cancelLogin = (login: string): Promise<void> =>
  ask("DELETE", `${api}/logins/${encodeURIComponent(login)}`, {});
export const logOutOf = (server: string): Promise<{ revoked: string }> =>
  ask("POST", `${api}/servers/${encodeURIComponent(server)}/logout`, {});

/** Keeps the page's half of the login, for as long as this tab is open. */
export const logIn = async (code: string): Promise<void> =>
  keepPage((await ask<{ page: string }>("POST", `${api}/login`, { code })).page);

export type ServerAction = "connect" | "disconnect" | "restart" | "enable" | "disable";

export const moveServer = (id: string, action: ServerAction): Promise<ServerStatus> =>
  ask("POST", `${api}/servers/${encodeURIComponent(id)}/${action}`);

export const readNetwork = (signal?: AbortSignal): Promise<{ enabled: boolean }> =>
  ask("GET", `${api}/network`, undefined, signal);
export const switchNetwork = (enabled: boolean): Promise<{ enabled: boolean }> =>
  ask("POST", `${api}/network`, { enabled });

export const decide = (id: string, decision: Decision): Promise<void> =>
  ask("POST", `${api}/approvals/${encodeURIComponent(id)}`, { decision });

export const callTool = (name: string, args: unknown, signal: AbortSignal): Promise<ToolResult> =>
  ask(
    "POST",
    `${api}/tools/${encodeURIComponent(name)}/call`,
    { arguments: args, caller: "dashboard" },
    signal,
  );

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await send(method, path, body, signal);
  const text = await answer.text();
  const value = (text === "" ? undefined : JSON.parse(text)) as unknown;
  if (answer.ok) return value as T;
  const { code = "unknown", title = "", detail, login } = (value ?? {}) as Record<string, string | undefined>;
  throw new ApiError(answer.status, code, detail ?? title, login);
}

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: { ...pageHeaders(), ...(method === "GET" ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, "unreachable", "The service does not answer.");
  }
}
