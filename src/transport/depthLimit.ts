import { isDeeperThan } from "../protocol/depth.js";
import { isRequestId } from "../protocol/jsonrpc.js";
import type { TransportHandlers } from "./transport.js";

/**
 * The same handlers behind a limit of nesting: what is deeper is dropped, told once under the server's id, and the call
 * that it answers fails at once.
 */
export function withDepthLimit(
  { id, depth }: { readonly id: string; readonly depth: number },
  handlers: TransportHandlers,
): TransportHandlers {
  let told = false;

  const drop = (message: unknown): void => {
    const text = `server "${id}": sent a message nested deeper than ${depth} levels; it was dropped`;
    if (!told) handlers.onWarning("too-deep", text);
    told = true;
    if (typeof message !== "object" || message === null || "method" in message || !("id" in message)) return;
    if (!isRequestId(message.id)) return;
    handlers.onLost(message.id, { sent: "yes", cause: { kind: "not-mcp", message: text } });
  };

  return {
    onMessage: (message, on) =>
      isDeeperThan(message, depth) ? drop(message) : handlers.onMessage(message, on),
    onLost: (request, loss) => handlers.onLost(request, loss),
    onClosed: (cause) => handlers.onClosed(cause),
    onWarning: (kind, message) => handlers.onWarning(kind, message),
  };
}
