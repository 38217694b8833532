import type { Clock } from "../../clock.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import type { Loss } from "../transport.js";
import type { HttpSession } from "./session.js";
import type { Wire } from "./connect/wire.js";

/** What the exchanges of one connection share: their way out and the ears of the layer above. */
export interface HttpPorts {
  /** Server id, for the messages. */
  readonly server: string;
  readonly wire: Wire;
  /** Path and query of the endpoint. */
  readonly path: string;
  readonly clock: Clock;
  /** One message, in bytes. */
  readonly maxBytes: number;
  deliver(message: unknown, on?: RequestId): void;
  /** The request is over; with a loss when no answer was delivered. */
  settled(id: RequestId, loss?: Loss): void;
  /** Told once per kind. */
  warn(kind: string, message: string): void;
  /** The server no longer knows this session; true when another one has taken its place already. */
  sessionLost(session: HttpSession): boolean;
}
