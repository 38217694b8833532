import type { Behalf } from "../protocol/behalf.js";
import type { ProgressNote } from "../rpc/pending.js";
import type { ToolEntry } from "../tools/catalog.js";

/** What is known of a call when it begins. */
export interface CallStart {
  /** The n-th call of its supervisor. */
  readonly count: number;
  readonly callId: string;
  readonly name: string;
  readonly argumentsJson: string;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** Silence after which the call ends; progress starts it anew. */
  readonly idleMs: number;
  /** How long it may take in all, however much progress comes. */
  readonly totalMs: number;
  readonly entry: ToolEntry;
  readonly signal: AbortSignal | undefined;
  readonly caller: string;
  readonly onProgress: ((note: ProgressNote) => void) | undefined;
  readonly behalf: Behalf | undefined;
}
