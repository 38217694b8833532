import type { AuthMemory } from "./memory.js";
import type { FakeAuthOptions, FakeAuthReply, FakeAuthRequest } from "./types.js";

type Reply = Exclude<FakeAuthReply, string>;

/** A small MCP server (Streamable HTTP, 2025-11-25, JSON answers) that wants tokens of the fake authorization server. */
export function protectedServer(
  memory: AuthMemory,
  options: FakeAuthOptions,
  url: () => string,
  issuer: () => string,
) {
  const calls: string[] = [];

  const metadata = (): Reply => ({
    body: {
      resource: url(),
      authorization_servers: [issuer()],
      ...(options.scopes !== undefined && { scopes_supported: options.scopes }),
      ...options.resourceMetadata,
    },
  });

  const challenge = (
    error: string | undefined,
    scopes: readonly string[] | undefined,
    status: number,
  ): Reply => {
    const place = new URL(url());
    const at = `${place.origin}/.well-known/oauth-protected-resource${place.pathname}`;
    const parts = [
      ...(options.advertise === false ? [] : [`resource_metadata="${at}"`]),
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scopes === undefined ? [] : [`scope="${scopes.join(" ")}"`]),
    ];
    return { status, headers: { "www-authenticate": `Bearer ${parts.join(", ")}` }, body: "no" };
  };

  const mcp = (request: FakeAuthRequest): Reply => {
    const token = /^Bearer (.+)$/.exec(request.headers["authorization"] ?? "")?.[1];
    const family = token === undefined ? undefined : memory.familyOf(token);
    if (family === undefined)
      return challenge(token === undefined ? undefined : "invalid_token", options.scopes, 401);
    if (request.method === "GET") return { status: 405, body: "" };
    if (request.method === "DELETE") return { status: 200, body: "" };
    const { id, method, params } = request.form as {
      id?: unknown;
      method?: string;
      params?: Record<string, unknown>;
    };
    if (id === undefined) return { status: 202, body: "" };
    const granted = family.scope.split(" ");
    if (method === "tools/call") {
      const name = String(params?.["name"]);
      const lacking =
        name === "write" ? (options.writeScopes ?? []).filter((each) => !granted.includes(each)) : [];
      if (lacking.length > 0) return challenge("insufficient_scope", lacking, 403);
      calls.push(name);
    }
    return { body: { jsonrpc: "2.0", id, ...answerOf(method, params, family.scope) } };
  };

  return { metadata, mcp, calls };
}

function answerOf(
  method: string | undefined,
  params: Record<string, unknown> | undefined,
  scope: string,
): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "protected", version: "1" },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return {
        result: { tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } })) },
      };
    case "tools/call":
      return {
        result: {
          content: [{ type: "text", text: `${String(params?.["name"])} with ${scope || "no scope"}` }],
        },
      };
    default:
      return { error: { code: -32601, message: `no method ${method}` } };
  }
}
