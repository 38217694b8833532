import type { Cause } from "../../errors.js";
import type { ServerState } from "../../events.js";
import type { ServerInfo } from "../../protocol/mcp.js";
import type { Scope } from "../../spec.js";

/** How a server is now: a snapshot that does not change any more, JSON-safe, without secrets. */
export interface ServerStatus {
  /** 1 to 32 characters of `a-z 0-9 - _`; unique in a fleet. */
  readonly id: string;
  /** Display name, as its entry says; the id where it says none. */
  readonly name: string;
  /** Where its entry is written down. */
  readonly scope: Scope;
  /** The file of its entry; absent for inline servers. */
  readonly file?: string;
  /** The file whose entry of the same id this one hides. */
  readonly hides?: string;
  /** How it is reached. */
  readonly transport: "stdio" | "http" | "sse" | "memory";
  /** False when its entry is switched off; its state is `disabled` then. */
  readonly enabled: boolean;
  /** Whether its hints and its entry's `auto_approve` count (docs/permissions.md). */
  readonly trusted: boolean;
  /** Where its machine stands (docs/states.md). */
  readonly state: ServerState;
  /** When the state last changed, in epoch ms. */
  readonly since: number;
  /** Why the state last changed. */
  readonly cause: Cause;
  /** Number of its present or last life: 1, 2, 3 …; 0 before the first. */
  readonly generation: number;
  /** Revision of MCP that the present life agreed on, such as `2025-11-25`; absent while there is none. */
  readonly protocolVersion?: string;
  /** What the server says it is; absent before the handshake. */
  readonly serverInfo?: ServerInfo;
  /** Its text for models, as sent in the handshake (MCP, Lifecycle). Written by the server: hostile input. */
  readonly instructions?: string;
  /** What its session of now, or its last one, declared; absent before the first. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /**
   * It serves with its connection of before the last change of its entry: the new one is coming up, or did not (see
   * `warnings` and `lastError`).
   */
  readonly outdated?: true;
  /** How many of its tools are offered. */
  readonly toolCount: number;
  /** Process ids of the present life, the direct child first; empty for HTTP and between lives. */
  readonly pids: readonly number[];
  /** Abnormal ends since the history was last forgotten. */
  readonly restarts: number;
  /** When it is tried again by itself, in epoch ms; absent when no attempt is planned. */
  readonly nextAttemptAt?: number;
  /** The last fault of a life; absent when there was none. */
  readonly lastError?: Cause;
  /** Calls that were sent and have not settled. */
  readonly inFlight: number;
  /** Calls that wait for the server or for a free place. */
  readonly queued: number;
  /** Calls that have settled, whatever their end, since the supervisor was made. */
  readonly calls: number;
  /** Those of `calls` that the server failed; not those that were denied, cancelled, turned away or never fit its tool. */
  readonly failures: number;
  /** How long its calls took, waiting not counted, in milliseconds, to within a fifth; absent before the first one. */
  readonly latency?: {
    /** Half of them took at most this long. */
    readonly p50: number;
    /** 95 of 100 took at most this long. */
    readonly p95: number;
    /** 99 of 100 took at most this long. */
    readonly p99: number;
  };
  /** Oddities that do not keep it from serving, one sentence each. */
  readonly warnings: readonly string[];
  /** The target in use, with every env and header value shown as `********`. */
  readonly target: Readonly<Record<string, unknown>>;
  /** Newest lines of its stderr, masked, newest last, within `limits.stderrLines` and `limits.stderrBytes`. */
  readonly stderrTail: readonly string[];
}
