import type { Clock } from "../clock.js";
import type { ServerSpec } from "../spec.js";
import type { Cause } from "../errors.js";
import type { ListOutput } from "../machines/contract.js";
import type { ClientIdentity } from "../protocol/codec.js";
import type { JsonRpcError, RequestId } from "../protocol/jsonrpc.js";
import type { Era } from "../protocol/negotiation.js";
import type { Deadlines } from "../rpc/deadlines.js";
import type { PendingRequest } from "../rpc/pending.js";
import type { Listing } from "../rpc/listing.js";
import type { Transport, TransportEnd } from "../transport/transport.js";
import type { Life } from "./life.js";

/** What is known of the era of servers, by the fingerprint of their configuration. */
export interface EraMemory {
  known(fingerprint: string): Promise<Era | undefined>;
  /** Undefined forgets: the assumption has failed. */
  remember(fingerprint: string, era: Era | undefined): void;
}

/** What a life needs to know and tell; the supervisor makes one per server. */
export interface LifePorts {
  spec(): ServerSpec;
  /** `kind` asks for another transport than the configured one (HTTP+SSE behind an `http` address). */
  transport(spec: ServerSpec, generation: number, kind?: "sse"): Transport | Promise<Transport>;
  /** What is remembered of the era of this server from earlier connections. */
  readonly eras: EraMemory;
  /** Level of the log messages that servers are asked for. */
  readonly logLevel: string | undefined;
  /** Masks secrets of this server in any text. */
  readonly mask: (text: string) => string;
  warn(kind: string, message: string): void;
  /** A life comes up beside the one in service. */
  preparing(life: Life): void;
  /** The life has a transport: its processes and stderr can be shown. Of a successor told when it takes over. */
  opened(life: Life): void;
  /** Another life takes the calls from now on; this one finishes what it has. */
  replaced(life: Life): void;
  /** No call may go to this life any more. */
  ended(life: Life): void;
  /** Everything of this life is gone, or what is left is known. */
  reaped(life: Life, end: TransportEnd): void;
  /** Gives the known definition of a tool in place of an equal new one; made for one walk. */
  readonly recogniser: () => (item: unknown) => unknown;
  /** The tools of a successor are counted only; they are the server's when it takes over and lists them once more. */
  listed(life: Life, listing: Listing): ListOutput;
  /** What the machine gave as the reason to leave. */
  whyEnding(): Cause;
  /** A notification that is none of the engine's own business. */
  notified(life: Life, method: string, params: unknown, about?: PendingRequest): void;
  asked(
    life: Life,
    method: string,
    params: unknown,
    id: RequestId,
    about?: PendingRequest,
  ): Promise<{ result: unknown } | { error: JsonRpcError }> | undefined;
  /** Resolves when no call is in flight on this life, or on any life of the server. */
  quiet(life?: Life): Promise<void>;
  readonly identity: ClientIdentity;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
}
