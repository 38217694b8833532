import type { Cause } from "../errors.js";
import type { PendingRequest } from "./pending.js";
import type { JsonRpcError, RequestId } from "../protocol/jsonrpc.js";

/** What a channel tells its owner besides the replies. */
export interface ChannelHooks {
  /** `about`: the request on whose stream it came, where the transport tells. */
  onNotification(method: string, params: unknown, about?: PendingRequest): void;
  /** A request of the server other than ping; undefined answers "method not found". */
  onRequest(
    method: string,
    params: unknown,
    id: RequestId,
    about?: PendingRequest,
  ): Promise<{ result: unknown } | { error: JsonRpcError }> | undefined;
  onClosed(cause: Cause): void;
  onWarning(kind: string, message: string): void;
  /** The HTTP session is gone: make a new one on the same transport; resolves when requests may be sent again. */
  renewSession(): Promise<Cause | undefined>;
}
