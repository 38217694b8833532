import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authEndpoints } from "./auth/endpoints.js";
import { AuthMemory } from "./auth/memory.js";
import { protectedServer } from "./auth/resource.js";
import type { FakeAuthOptions, FakeAuthReply, FakeAuthRequest, Interceptor } from "./auth/types.js";

/** A running authorization server and the MCP server that it protects, both on 127.0.0.1. */
export interface FakeAuthServer extends AsyncDisposable {
  /** Address of the protected MCP server. */
  readonly url: string;
  /** Address of the authorization server: `issuer` of its metadata (RFC 8414, 2). */
  readonly issuer: string;
  /** @internal What the authorization server remembers, for tests of our own. */
  readonly memory: AuthMemory;
  /** Every request, in order. */
  readonly requests: readonly FakeAuthRequest[];
  /** Tools that were called. */
  readonly calls: readonly string[];
  /** Plays the person who agrees: opens an authorize address and gives where it leads, without going there. */
  agree(url: string): Promise<string>;
  /** Plays the browser of a person who agrees: goes to where it leads, too. Gives the page's status. */
  browse(url: string): Promise<number>;
  /** Ends all access tokens, as time does; refresh tokens stay good. */
  expire(): void;
  /** Takes every grant back. */
  revokeAll(): void;
  /** Answers in place of the right ones from now on; undefined behaves again. */
  intercept(interceptor: Interceptor | undefined): void;
  /** Ends both and gives the ports back. */
  close(): Promise<void>;
}

/** Starts both. Real sockets, ports of the system's choice; every misbehaviour is an option or an interceptor. */
export async function startFakeAuthServer(options: FakeAuthOptions = {}): Promise<FakeAuthServer> {
  const memory = new AuthMemory(options);
  const requests: FakeAuthRequest[] = [];
  let interceptor = options.intercept;
  let authOrigin = "";
  let resourceOrigin = "";
  const issuer = (): string => authOrigin + (options.issuerPath ?? "");
  const url = (): string => `${resourceOrigin}/mcp`;
  const auth = authEndpoints(memory, options, issuer);
  const resource = protectedServer(memory, options, url, issuer);

  function answer(request: FakeAuthRequest): Exclude<FakeAuthReply, string> {
    const { side, path } = request;
    if (side === "resource") {
      if (path === "/mcp") return resource.mcp(request);
      return path === "/.well-known/oauth-protected-resource/mcp"
        ? resource.metadata()
        : { status: 404, body: "" };
    }
    const base = options.issuerPath ?? "";
    if (path === `/.well-known/oauth-authorization-server${base}`) return auth.metadata();
    const endpoints: Record<string, (request: FakeAuthRequest) => Exclude<FakeAuthReply, string>> = {
      [`${base}/authorize`]: auth.authorize,
      [`${base}/token`]: auth.token,
      [`${base}/register`]: auth.register,
      [`${base}/device`]: auth.device,
      [`${base}/revoke`]: auth.revoke,
    };
    return endpoints[path]?.(request) ?? { status: 404, body: "" };
  }

  async function handle(
    side: FakeAuthRequest["side"],
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const text = await bodyOf(message);
    const { pathname: path, searchParams: query } = new URL(message.url ?? "/", "http://fake");
    const request: FakeAuthRequest = {
      side,
      method: message.method ?? "",
      path,
      query,
      headers: message.headers as Record<string, string | undefined>,
      form: fieldsOf(text, message.headers["content-type"] ?? ""),
      before: requests.filter((each) => each.path === path && each.side === side).length,
    };
    requests.push(request);
    const instead = interceptor?.(request);
    if (instead === "reset-before") return void message.socket.destroy();
    if (instead === "silence") return;
    if (instead === "endless") return endless(response);
    const right = instead === undefined || instead === "reset-after" ? answer(request) : instead;
    if (instead === "reset-after") return void message.socket.destroy();
    const isText = typeof right.body === "string";
    const headers = { "content-type": isText ? "text/plain" : "application/json", ...right.headers };
    response.writeHead(right.status ?? 200, headers as Record<string, string>);
    response.end(isText ? right.body : JSON.stringify(right.body ?? {}));
  }

  const servers = (["auth", "resource"] as const).map((side) =>
    createServer((message, response) => void handle(side, message, response)),
  );
  [authOrigin, resourceOrigin] = (await Promise.all(servers.map(listen))) as [string, string];

  const close = async (): Promise<void> => void (await Promise.all(servers.map(end)));
  return {
    url: url(),
    issuer: issuer(),
    memory,
    requests,
    calls: resource.calls,
    agree,
    browse: async (address) => (await fetch(await agree(address))).status,
    expire: () => memory.access.clear(),
    revokeAll() {
      for (const { family } of [...memory.access.values(), ...memory.refresh.values()])
        family.isRevoked = true;
    },
    intercept(next) {
      interceptor = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function agree(address: string): Promise<string> {
  const response = await fetch(address, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function fieldsOf(text: string, type: string): Record<string, unknown> {
  if (!type.includes("json")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Broken JSON has no fields; the endpoint will refuse it.
    return {};
  }
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(" ".repeat(16_384)));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
