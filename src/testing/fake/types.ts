import type { Clock, ServerConfig, TransportSource } from "../../index.js";

/** How a client reaches a fake server: in this process, as a child process, or over HTTP on 127.0.0.1. */
export type Medium = "memory" | "stdio" | "http";

/** What can go wrong by name; `docs/chaos.md` has one line for each. */
export type FaultName =
  // the end of a connection or process
  | "refuse"
  | "crash-before"
  | "crash-mid"
  | "crash-after"
  | "close-stdout"
  | "close-stdin"
  // silence
  | "hang"
  | "late-answer"
  | "half-line"
  | "stop-reading"
  // bytes
  | "byte-at-a-time"
  | "flood"
  | "endless-line"
  | "noise"
  | "raw"
  // lies
  | "error"
  | "wrong-id"
  | "string-id"
  | "duplicate-answer"
  | "bad-version"
  | "schema-lie"
  | "endless-pages"
  | "same-cursor"
  | "endless-progress"
  // more than was asked for
  | "list-changed-storm"
  | "request-first"
  // processes that do not go
  | "ignore-eof"
  | "ignore-term"
  | "fork"
  | "daemonise"
  | "slow-close"
  | "survivors"
  // HTTP
  | "session-expiry"
  | "http-status"
  | "redirect"
  | "sse-cut"
  | "slow-body"
  | "gzip-bomb";

/** One fault: what goes wrong, and with which messages. */
export interface FakeFault {
  readonly fault: FaultName;
  /** Method it happens at, or `open` for the begin of a connection. Default: `tools/call`, or what the fault needs. */
  readonly on?: string;
  /** Only calls of this tool. */
  readonly tool?: string;
  /** Only the n-th such message of a server (1 is the first). */
  readonly nth?: number;
  /** Only in this life of the server. */
  readonly generation?: number;
  /** How often at most. Default: always. */
  readonly times?: number;
  /** With this probability, by the seed of the script. */
  readonly chance?: number;
  /** A wait, where the fault has one. */
  readonly ms?: number;
  /** How many notifications, tools, or pages. */
  readonly count?: number;
  /** How many bytes. */
  readonly bytes?: number;
  /** Exit code, JSON-RPC error code or HTTP status. */
  readonly code?: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `stderr` or `stdout` for a flood; `held` lets a fork keep our stdout open. */
  readonly stream?: "stdout" | "stderr" | "held";
}

/** A tool of a fake server; a plain text is a tool of that name that echoes its arguments. */
export interface FakeTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly outputSchema?: object;
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Milliseconds before the answer, fixed or between two bounds. */
  readonly latency?: number | readonly [number, number];
  /** The result: a text, a whole `CallToolResult`, or `{error}` with a JSON-RPC error. */
  answer?(args: Readonly<Record<string, unknown>>, call: FakeCall): unknown;
}

export interface FakeCall {
  readonly generation: number;
  /** How many calls this server had before, in all lives. */
  readonly index: number;
  progress(progress: number, total?: number): void;
}

export interface FakeScript {
  /** Server id. */
  readonly id: string;
  /** Default: memory. */
  readonly over?: Medium;
  /** Default: one tool, `echo`. */
  readonly tools?: readonly (string | FakeTool)[];
  readonly pageSize?: number;
  /**
   * In memory: a second life may exist beside the first, as over HTTP without a session, so that one hands over to the
   * next. Default: false.
   */
  readonly overlaps?: boolean;
  /** Before every answer, unless the tool has its own. */
  readonly latency?: number | readonly [number, number];
  /** Offered by the server; the client's own otherwise. */
  readonly protocolVersion?: string;
  readonly faults?: readonly FakeFault[];
  /** Answers over HTTP come as a stream of events instead of one JSON body. */
  readonly sse?: boolean;
  /** Anything else of the server's entry: restart, timeout, limits … */
  readonly config?: Partial<ServerConfig>;
  readonly seed?: number;
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
  readonly method: string;
  readonly tool?: string;
  readonly params?: unknown;
  readonly generation: number;
}

/** A running fake server; give `config` (and `transports`, for memory) to createSupervisor. */
export interface FakeServer {
  readonly id: string;
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

/** An order to the process of a fake server. */
export type ProcessOrder =
  | { readonly do: "exit"; readonly code: number; readonly signal?: string }
  | { readonly do: "drip"; readonly text: string }
  | { readonly do: "flood"; readonly stream: "stdout" | "stderr"; readonly bytes: number }
  | {
      readonly do:
        | "ignore-eof"
        | "ignore-term"
        | "stop-reading"
        | "close-stdout"
        | "close-stdin"
        | "daemonise";
    }
  | { readonly do: "fork"; readonly held: boolean };

/** One connection of a client, as its medium carries it. */
export interface FakeWire {
  readonly generation: number;
  send(message: object): void;
  /** Bytes as they are; only where there are bytes. */
  write?(text: string): void;
  /** Half of a message, and nothing after it. */
  half(message: object): void;
  end(code: number): void;
  order?(order: ProcessOrder): void;
  /** The session of this request is unknown. */
  expire?(id: unknown): void;
  /** Answers the HTTP request in a way of its own. */
  respond?(fault: FakeFault, message: object | undefined): void;
}
