import type { Fact } from "../index.js";

/** What a supervisor promises, by name (docs/reliability.md). */
export type Rule =
  /** Each call settles exactly once. */
  | "settled-once"
  /** No call lasts longer than `longestCallMs`. */
  | "settled-in-time"
  /** A life begins after the last one ended, or takes over from it. */
  | "one-life"
  /** States follow each other as docs/states.md says. */
  | "path"
  /** No fact is missing: sequence numbers have no gap. */
  | "order"
  /** Healthy servers have served again in time. */
  | "recovers"
  /** Nothing is left at rest. */
  | "nothing-left";

/** One broken promise. */
export interface Violation {
  /** Which promise. */
  readonly rule: Rule;
  /** What broke it. */
  readonly message: string;
  /** Number of the fact that showed it; absent for what shows at rest only. */
  readonly seq?: number;
}

/** What else to check. */
export interface InvariantOptions {
  /** No call may last longer, in ms by `at` of the facts; 250 ms are granted on top. Absent: not checked. */
  readonly longestCallMs?: number;
}

/** What must hold when everything has come to rest. */
export interface Rest {
  /** Epoch ms of the last injected fault. */
  readonly lastFaultAt?: number;
  /** Servers that were healthy from then on, and so must have been ready by `recoverWithinMs`. */
  readonly healthy?: readonly string[];
  /** Default: 5 s and the longest back-off (30 s). */
  readonly recoverWithinMs?: number;
  /** Counts of things that should be gone, by name: processes, timers, connections. */
  readonly left?: Readonly<Record<string, number>>;
}

/** Watches facts for broken promises; it only reads, and never throws into the stream. */
export interface Invariants {
  /** Takes the next fact; `watchInvariants` does it for a whole stream. */
  see(fact: Fact): void;
  /** Broken promises so far. */
  readonly violations: readonly Violation[];
  /** Calls that have started and not settled. */
  readonly open: number;
  /** Checks that the healthy servers have served again in time; `finish` does it too. */
  checkRecovery(rest: Rest): void;
  /** Checks what must hold at rest, and returns all violations. */
  finish(rest?: Rest): readonly Violation[];
  /** Stops watching. */
  close(): void;
}
