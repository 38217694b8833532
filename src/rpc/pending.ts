import type { Cause, Sent } from "../errors.js";
import type { Behalf } from "../protocol/behalf.js";
import type { JsonRpcError } from "../protocol/jsonrpc.js";

/** How a request ended. Never thrown: every way out of a channel is one of these. */
export type Reply =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: JsonRpcError }
  /** The connection (or this exchange) broke before an answer. */
  | { readonly kind: "lost"; readonly sent: Sent; readonly cause: Cause }
  /** Nothing was sent and nothing will be. */
  | { readonly kind: "refused"; readonly cause: Cause }
  | { readonly kind: "timeout"; readonly total: boolean }
  | { readonly kind: "cancelled"; readonly reason: unknown };

export interface ProgressNote {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * One request in flight. The owner fills in what it wants to be told; the channel keeps `id`, `position` and
 * `channelState`. A record and not closures: this is the hot path.
 */
export interface PendingRequest {
  /** Set by the channel when sent. */
  id: number;
  /** Last byte of the request in the transport's output. */
  position: number;
  /** How often it was sent again to a new session of the same connection. */
  resends: number;
  readonly method: string;
  readonly wantsProgress: boolean;
  /** The line to send under this id. */
  encode(id: number): string;
  headers?: Readonly<Record<string, string>>;
  settle(reply: Reply): void;
  progress?(note: ProgressNote): void;
  /** On whose behalf it is made; undefined: the host's own. */
  readonly behalf?: Behalf | undefined;
  /** A person is asked by the server meanwhile: the clock stands still, from and until this monotonic ms. */
  pause?(now: number): void;
  resume?(now: number): void;
}
