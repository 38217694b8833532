import type { JsonRpcError, RequestId } from "../../protocol/jsonrpc.js";

/** Whether a message answers the request; ids count as equal when they are written the same (some servers quote them). */
export function isAnswerTo(message: unknown, id: RequestId): boolean {
  if (!isObject(message) || "method" in message) return false;
  if (!("result" in message) && !("error" in message)) return false;
  const answered = message["id"];
  return (
    answered === id ||
    ((typeof answered === "string" || typeof answered === "number") && `${answered}` === `${id}`)
  );
}

/** The error of a message that names no request: it belongs to the exchange it came on (JSON-RPC 2.0, section 5). */
export function errorWithoutId(message: unknown): JsonRpcError | undefined {
  if (!isObject(message) || (message["id"] ?? undefined) !== undefined || "method" in message)
    return undefined;
  return errorOf(message);
}

/** The well-formed error of a JSON-RPC error response, whatever its id. */
export function errorOf(message: unknown): JsonRpcError | undefined {
  if (!isObject(message) || !isObject(message["error"])) return undefined;
  const { code, message: text, data } = message["error"];
  if (typeof code !== "number" || !Number.isInteger(code) || typeof text !== "string") return undefined;
  return data === undefined ? { code, message: text } : { code, message: text, data };
}

/** Whether a message is a successful answer. */
export function isResult(message: unknown): boolean {
  return isObject(message) && "result" in message && !("error" in message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
