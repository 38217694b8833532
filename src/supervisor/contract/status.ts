import type { Cause } from "../../errors.js";
import type { ServerState } from "../../events.js";
import type { ServerInfo } from "../../protocol/mcp.js";
import type { Scope } from "../../spec.js";

export interface ServerStatus {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly file?: string;
  readonly hides?: string;
  readonly transport: "stdio" | "http" | "sse" | "memory";
  readonly enabled: boolean;
  readonly trusted: boolean;
  readonly state: ServerState;
  /** Epoch ms of the last change of state. */
  readonly since: number;
  readonly cause: Cause;
  readonly generation: number;
  readonly protocolVersion?: string;
  readonly serverInfo?: ServerInfo;
  readonly instructions?: string;
  /**
   * It serves with its connection of before the last change of its entry: the new one is coming up, or did not (see
   * `warnings` and `lastError`).
   */
  readonly outdated?: true;
  readonly toolCount: number;
  readonly pids: readonly number[];
  /** Abnormal ends since the history was last forgotten. */
  readonly restarts: number;
  readonly nextAttemptAt?: number;
  readonly lastError?: Cause;
  readonly inFlight: number;
  readonly queued: number;
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds; absent before the first call. */
  readonly latency?: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly warnings: readonly string[];
  /** The target in use, with every env and header value shown as `********`. */
  readonly target: Readonly<Record<string, unknown>>;
  readonly stderrTail: readonly string[];
}
