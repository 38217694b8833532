/** A JSON-RPC 2.0 request id; MCP forbids null. */
export type RequestId = string | number;

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A message of the peer after a look at its shape; `odd` says why it is none. */
export type Incoming =
  | { readonly kind: "result"; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RequestId | null; readonly error: JsonRpcError }
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "odd"; readonly why: string };

/** One request as a line without its newline. Throws for values JSON cannot hold (BigInt, cycles). */
export function encodeRequest(id: RequestId, method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** One notification as a line without its newline. */
export function encodeNotification(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** Our answer to a request of the peer. */
export function encodeResult(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: result ?? {} });
}

/** Our refusal of a request of the peer. */
export function encodeError(id: RequestId, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/**
 * Says what a parsed JSON value is (JSON-RPC 2.0 sections 4 and 5); checks by hand, about 10 ns, never throws for
 * parsed JSON. An answer with an id but without result and error counts as a result of `undefined`, an error
 * of a wrong shape or beside a result as an error: the call behind it must settle, not wait. Arrays are taken apart by transports.
 */
export function classify(value: unknown): Incoming {
  if (typeof value !== "object" || value === null) return odd("no JSON object");
  if (Array.isArray(value)) return odd("a list");
  const message = value as Readonly<Record<string, unknown>>;
  if (message["jsonrpc"] !== "2.0") return odd('jsonrpc is not "2.0"');
  const method = message["method"];
  const id = message["id"];
  if (method !== undefined) return fromPeer(id, method, message["params"]);
  const error = message["error"];
  if (error !== undefined && error !== null) {
    if (isRequestId(id)) return { kind: "error", id, error: repairError(error) };
    return id === null || id === undefined
      ? { kind: "error", id: null, error: repairError(error) }
      : odd("an error whose id is neither text nor number");
  }
  if (!isRequestId(id)) return odd("no method and no usable id");
  return { kind: "result", id, result: message["result"] };
}

function fromPeer(id: unknown, method: unknown, params: unknown): Incoming {
  if (typeof method !== "string") return odd("method is no text");
  if (id === undefined) return { kind: "notification", method, params };
  return isRequestId(id)
    ? { kind: "request", id, method, params }
    : odd("a request whose id is neither text nor number");
}

/** Whether a value may be a request id in MCP: text or a finite number, never null. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

const internalError = -32_603;

function repairError(error: unknown): JsonRpcError {
  if (typeof error !== "object" || error === null) {
    return { code: internalError, message: typeof error === "string" ? error : "error without a message" };
  }
  const { code, message, data } = error as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === "number" && Number.isFinite(code) ? code : internalError,
    message: typeof message === "string" ? message : "error without a message",
    ...(data === undefined ? {} : { data }),
  };
}

function odd(why: string): Incoming {
  return { kind: "odd", why };
}
