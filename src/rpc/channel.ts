import type { Cause } from "../errors.js";
import type { Codec } from "../protocol/codec.js";
import type { Transport } from "../transport/transport.js";
import type { PendingRequest } from "./pending.js";

/** One open JSON-RPC conversation over a transport. */
export interface Channel {
  codec: Codec;
  readonly transport: Transport;
  /** Epoch-free: counts every JSON-RPC message that came; any of them is a sign of life. */
  heard: number;
  /** Undefined when sent, or the cause why nothing was sent (the record is then not pending). */
  send(request: PendingRequest): Cause | undefined;
  notify(method: string, params?: object): void;
  /** Stops waiting; tells the server (legacy: `notifications/cancelled`, modern HTTP: the exchange is aborted). */
  giveUp(request: PendingRequest, reason: string, tellServer: boolean): void;
  /** Progress under the id of this request goes on to it although it was answered: a task came of it. */
  follow(request: PendingRequest): void;
  /** The open requests. */
  requests(): Iterable<PendingRequest>;
  /** Ends the conversation from our side: every open request settles as lost with this cause. */
  end(cause: Cause): void;
  readonly open: boolean;
  readonly pending: number;
}
