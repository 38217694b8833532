import type { Duration } from "../../config/entries/input.js";

/** Which call a hook is asked about; `id` is the one of its facts. */
export interface CallSubject {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Idle limit of this call: milliseconds, or text such as `30s`. Progress starts it anew. */
  readonly timeout?: Duration;
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Names the caller for fair sharing of a server's queue. */
  readonly caller?: string;
}
