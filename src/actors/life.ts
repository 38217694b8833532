import type { Cause } from "../errors.js";
import type { ListOutput, ServerReport } from "../machines/contract.js";
import type { Session } from "../protocol/mcp.js";
import type { Channel } from "../rpc/channel.js";
import type { ServerSpec } from "../spec.js";
import type { Transport } from "../transport/transport.js";

/** How a session hears of changes, for those who look at lists and resources. */
export interface ChangeWatch {
  /** Somebody looks at the tools: a list that nobody keeps fresh and whose time is over is asked for again. */
  used(): void;
  /** Watches one resource from now on, or no longer. Modern servers only. */
  watch(uri: string, on: boolean): void;
}

/** One generation of one server, as everybody but its owner sees it. */
export interface Life {
  readonly id: string;
  readonly generation: number;
  /** The spec that it was made for; the server's may be newer. */
  readonly spec: ServerSpec;
  /** The server in a sentence. */
  readonly who: string;
  readonly transport: Transport | undefined;
  readonly channel: Channel | undefined;
  readonly session: Session | undefined;
  readonly changes: ChangeWatch | undefined;
  /** Monotonic ms of the last call, for idle timeouts and health checks. */
  usedAt: number;
  /** It comes up beside the life in service: its transport and tools are not the server's yet. */
  readonly isSuccessor: boolean;
  /** Calls and other requests of the host that were sent on it and have not settled. */
  inFlight: number;
  /** Its open channel; throws ConnectError when there is none. */
  conversation(): Channel;
  /** Lists tools; without the tools capability the list is empty and nothing is asked. Rejects with ConnectError. */
  list(signal: AbortSignal | undefined, dueAt: number): Promise<ListOutput>;
  /** Tells the machine once that this session really works. */
  prove(): void;
  /** A call found out that nobody is there any more (HTTP: refused, no such host). */
  lost(cause: Cause): void;
  /** Tells the machine, as long as it is this life's. */
  tell(report: ServerReport): void;
}
