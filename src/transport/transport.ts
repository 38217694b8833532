import type { Cause, Sent } from "../errors.js";
import type { RequestId } from "../protocol/jsonrpc.js";

/** What rides along with an encoded message, for transports that need more than its text. */
export interface Envelope {
  /** Method of the message (JSON-RPC 2.0, 4); empty for an answer of ours. */
  readonly method: string;
  /** Absent for notifications and for our answers to requests of the server. */
  readonly id?: RequestId;
  /** Extra HTTP headers of this one request (Mcp-Name, Mcp-Param-*); stdio ignores them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that can get no answer any more although the connection may live on (one HTTP exchange broke). */
export interface Loss {
  /** Whether the request reached the server. */
  readonly sent: Sent;
  /** Why there will be no answer. */
  readonly cause: Cause;
  /** A JSON-RPC error body that came with a 4xx status, delivered as such. */
  readonly error?: {
    /** Its code (JSON-RPC 2.0, 5.1). */
    readonly code: number;
    /** Its text. */
    readonly message: string;
    /** Its data, as sent. */
    readonly data?: unknown;
  };
  /** The session that refused it has a successor already: sending it again is enough. */
  readonly superseded?: boolean;
}

/** What a transport tells. It is never called again after `onClosed`. */
export interface TransportHandlers {
  /** One parsed JSON value (never an array: batches are taken apart). Nothing about its shape is promised. */
  /** `on`: the request on whose stream it came, where the transport knows. */
  onMessage(message: unknown, on?: RequestId): void;
  /** One request gets no answer any more; told at most once per request. */
  onLost(id: RequestId, loss: Loss): void;
  /** Once, after open() resolved or while it runs: no message will ever come or go again. */
  onClosed(cause: Cause): void;
  /** Something odd that does not end the connection; told once per kind. */
  onWarning(kind: string, message: string): void;
}

/** How a connection ended. */
export interface TransportEnd {
  /** Process ids that could not be ended. Empty for HTTP. */
  readonly survivors: readonly number[];
  /** Processes had to be killed. */
  readonly forced: boolean;
  /** How long the end took, in milliseconds. */
  readonly ms: number;
}

/** What a source of connections is told about the life it makes one for. */
export interface ConnectionRequest {
  /** Id of the server. */
  readonly id: string;
  /** The life it is for: 1, 2, 3 … */
  readonly generation: number;
  /** Makes the connection that the configuration describes; it is not open yet. */
  own(): Promise<Transport>;
  /** Masks the secrets of this server in any text. */
  mask(text: string): string;
}

/** Makes the connection of one life: an own one, or the configured one with something around it. */
export type TransportSource = (request: ConnectionRequest) => Transport | Promise<Transport>;

/** Moves messages. One object is one connection; it is never opened twice. */
export interface Transport {
  /** What it is, for status and telemetry. */
  readonly kind: "stdio" | "http" | "sse" | "memory";
  /** Process ids of this connection, the direct child first. */
  pids(): readonly number[];
  /** Newest stderr lines, masked by the caller. */
  stderrTail(): readonly string[];
  /** Resolves when messages may be sent; rejects with ConnectError. */
  open(handlers: TransportHandlers): Promise<void>;
  /**
   * Takes one encoded message; never throws. The answer is its place in this connection's output (for
   * deliveredUpTo), which only grows, or a Cause when it was refused and nothing of it was or will be sent.
   */
  send(text: string, about: Envelope): number | Cause;
  /**
   * True when a second connection to the same server may exist beside this one: it has no process, and no session that
   * the server keeps. Asked after the handshake; absent means false.
   */
  overlaps?(): boolean;
  /** Output up to this position has left our process for certain. HTTP: +Infinity, losses carry their own `sent`. */
  deliveredUpTo(): number;
  /** The caller gave up on this request: HTTP aborts its exchange, stdio needs nothing. */
  abandon(id: RequestId): void;
  /** What the handshake agreed on; HTTP sends it in MCP-Protocol-Version. */
  agreed(protocolVersion: string): void;
  /** After `notifications/initialized` was accepted: HTTP opens its listening stream. */
  listen(): void;
  /** Ends the connection and everything it started; resolves when nothing is left or the budget is used up. */
  close(): Promise<TransportEnd>;
  /** Ends everything at once, synchronously as far as the platform can (host exit). */
  kill(): void;
}
