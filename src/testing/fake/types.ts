import type { Clock, ServerConfig, TransportSource } from "../../index.js";
import type { FakeFault, FaultName } from "./faultTypes.js";

export type { FakeFault, FaultName } from "./faultTypes.js";
export type { FakeWire, ProcessOrder } from "./wire.js";

/** How a client reaches a fake server. */
export type Medium =
  /** In this process. */
  | "memory"
  /** As a child process. */
  | "stdio"
  /** Over HTTP on 127.0.0.1. */
  | "http";

/** A tool of a fake server; a plain text is a tool of that name that echoes its arguments. */
export interface FakeTool {
  /** Raw name. */
  readonly name: string;
  /** Text for models. Default: a sentence with its name. */
  readonly description?: string;
  /** JSON Schema of its arguments. Default: any object. */
  readonly inputSchema?: object;
  /** JSON Schema of its structured result. Default: none. */
  readonly outputSchema?: object;
  /** Hints, as sent. Default: none. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Milliseconds before the answer, fixed or between two bounds. Default: `latency` of the script. */
  readonly latency?: number | readonly [number, number];
  /**
   * The result: a text, a whole `CallToolResult`, or `{error}` with a JSON-RPC error. Default: its arguments as JSON.
   */
  answer?(args: Readonly<Record<string, unknown>>, call: FakeCall): unknown;
}

/** What a fake tool is told about the call that it answers. */
export interface FakeCall {
  /** The life it is answered in: 1, 2, 3 … */
  readonly generation: number;
  /** How many calls this server had before, in all lives. */
  readonly index: number;
  /** Tells progress (MCP, Utilities / Progress). */
  progress(progress: number, total?: number): void;
}

/** What a fake server is and does. */
export interface FakeScript {
  /** Server id. */
  readonly id: string;
  /** Default: memory. */
  readonly over?: Medium;
  /** Default: one tool, `echo`. */
  readonly tools?: readonly (string | FakeTool)[];
  /** How many tools one page of its list has. Default: all on one. */
  readonly pageSize?: number;
  /**
   * In memory: a second life may exist beside the first, as over HTTP without a session, so that one hands over to the
   * next. Default: false.
   */
  readonly overlaps?: boolean;
  /** Milliseconds before every answer, fixed or between two bounds, unless the tool has its own. Default: 0. */
  readonly latency?: number | readonly [number, number];
  /** Revision offered by the server. Default: the client's own. */
  readonly protocolVersion?: string;
  /** What goes wrong, from the beginning. Default: nothing. */
  readonly faults?: readonly FakeFault[];
  /** Answers over HTTP come as a stream of events instead of one JSON body. Default: false. */
  readonly sse?: boolean;
  /** Anything else of the server's entry: restart, timeout, limits … */
  readonly config?: Partial<ServerConfig>;
  /** What its chance follows from. Default: 1. */
  readonly seed?: number;
  /** Where its waits come from, in memory and over HTTP. Default: the real clock. */
  readonly clock?: Clock;
}

/** The shape of a message as the fake reads it; nothing more is checked. */
export interface Incoming {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A message that reached the fake server. */
export interface Received {
  /** Method of the message. */
  readonly method: string;
  /** Raw tool name, for a call. */
  readonly tool?: string;
  /** Its params, as received. */
  readonly params?: unknown;
  /** The life that received it. */
  readonly generation: number;
}

/** A running fake server; give `config` (and `transports`, for memory) to createSupervisor. */
export interface FakeServer {
  /** Id of the server. */
  readonly id: string;
  /** How it is reached. */
  readonly medium: Medium;
  /** Its entry for `servers`. */
  readonly config: ServerConfig;
  /** Its connection for `transports`; undefined unless it is in memory. */
  readonly source: TransportSource | undefined;
  /** Everything that reached it, oldest first. */
  readonly received: readonly Received[];
  /** What the client answered to requests of the fake server. */
  readonly answers: readonly object[];
  /** Connections or processes that are open now. */
  readonly lives: number;
  /** Connections or processes so far. */
  readonly generation: number;
  /** How often each fault has really happened. */
  readonly reached: ReadonlyMap<FaultName, number>;
  /** Adds a fault from now on; the returned function takes it back. */
  inject(fault: FakeFault): () => void;
  /** From now on it is healthy: forgets all faults. */
  heal(): void;
  /** Ends the open connections from the server's side. */
  crash(code?: number): void;
  /** Sends any message to every open connection. */
  send(message: object): void;
  /** Replaces its tools; tells `list_changed` unless `quiet`. */
  offer(tools: readonly (string | FakeTool)[], options?: { readonly quiet?: boolean }): void;
  /** Ends the connections and gives back what it holds. */
  close(): Promise<void>;
}
