/** JSON-RPC 2.0 and the two eras of MCP as this side writes them; pure. */
export type RequestId = string | number;
export type Json = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a request led to: a result object, its text when that is at hand, or an error. */
export type Answer = { readonly result: Json } | { readonly json: string } | { readonly error: RpcError };

export const modernRevision = "2026-07-28";
/** Newest first; what `initialize` may agree on. */
export const legacyRevisions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const prefix = "io.modelcontextprotocol/";
export const meta = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  server: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
  /** How many gateways a request has passed: a gateway that is its own upstream would go round for ever. */
  hops: "mcpvisor/hops",
} as const;

export const codes = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  limit: -32_000,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text or a whole number (MCP forbids null); what else may stand there is no id. */
export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

export function metaOf(params: unknown): Json {
  const found = isRecord(params) ? params["_meta"] : undefined;
  return isRecord(found) ? found : {};
}

/** One answer as a line; the id comes back exactly as it was sent. */
export function answerText(id: RequestId | null, answer: Answer): string {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if ("error" in answer) return `${start}"error":${JSON.stringify(answer.error)}}`;
  return `${start}"result":${"json" in answer ? answer.json : JSON.stringify(answer.result)}}`;
}

export function notificationText(method: string, params?: Json): string {
  return JSON.stringify({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
}

export function requestText(id: RequestId, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
}

const mostHops = 8;

/** Why a request is refused that has come round to where it began, or has passed too many gateways. */
export function loopOf(client: unknown, params: unknown, own: string | undefined): RpcError | undefined {
  if (own !== undefined && isRecord(client) && client["title"] === own)
    return failed(codes.invalidRequest, "this gateway cannot be one of its own servers; remove that entry")
      .error;
  return Number(metaOf(params)[meta.hops]) >= mostHops
    ? failed(codes.invalidRequest, `the request has passed ${mostHops} gateways, which looks like a loop`)
        .error
    : undefined;
}

export function failed(code: number, message: string, data?: unknown): { readonly error: RpcError } {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}
