import type { Cause } from "../errors.js";
import { backoff, clampDelay } from "./backoff.js";
import { causeTable } from "./causes.js";

/** How the lives of one server ended so far; plain data. */
export interface RestartHistory {
  /** Abnormal ends of the last `windowMs`, epoch ms, oldest first. */
  readonly ends: readonly number[];
  /** Abnormal ends since the history was last forgotten. */
  readonly count: number;
  /** The wait before the last try; the next one is never shorter. */
  readonly lastDelayMs: number;
}

export interface RestartBudget {
  readonly windowMs: number;
  readonly maxEnds: number;
  /** Ready for so long: the next try needs no wait, and a clean exit is no failure. */
  readonly settledMs: number;
  /** Ready for so long, and a session proven: the history is forgotten. */
  readonly stableMs: number;
}

export const defaultBudget: RestartBudget = {
  windowMs: 180_000,
  maxEnds: 5,
  settledMs: 10_000,
  stableMs: 60_000,
};

export const noHistory: RestartHistory = { ends: [], count: 0, lastDelayMs: 0 };

/** The end of one life. Times are epoch ms; `readyAt` and `provenAt` are absent when it did not come so far. */
export interface LifeEnd {
  readonly at: number;
  readonly cause: Cause;
  readonly readyAt?: number | undefined;
  readonly provenAt?: number | undefined;
}

export type RestartVerdict =
  | { readonly kind: "again"; readonly delayMs: number; readonly history: RestartHistory }
  | { readonly kind: "permanent"; readonly history: RestartHistory }
  | { readonly kind: "gave-up"; readonly history: RestartHistory };

/**
 * Whether and when a new life may begin after this end. Three limits of their own: one try without a wait after a
 * settled life, then growing waits, then none after `maxEnds` abnormal ends within `windowMs`. `random` is in [0, 1).
 */
export function restart(
  before: RestartHistory,
  end: LifeEnd,
  random: number,
  budget: RestartBudget = defaultBudget,
): RestartVerdict {
  const row = causeTable[end.cause.kind];
  const settled = readyFor(end) >= budget.settledMs;
  const known = isStable(end, end.at, budget) ? noHistory : before;
  const counted = row.counts === "always" || (row.counts === "early" && !settled);
  const history = counted ? addEnd(known, end.at, budget) : known;
  if (row.permanent) return { kind: "permanent", history };
  if (!counted) return { kind: "again", delayMs: 0, history };
  if (history.ends.length >= budget.maxEnds) return { kind: "gave-up", history };
  if (settled && history.ends.length === 1 && row.restartAfter !== "retry-after") {
    return { kind: "again", delayMs: 0, history };
  }
  const waitMs = backoff(history.ends.length, random, history.lastDelayMs);
  const delayMs = clampDelay(Math.max(waitMs, end.cause.retryAfterMs ?? 0));
  return { kind: "again", delayMs, history: { ...history, lastDelayMs: waitMs } };
}

/** True when a life was ready long enough, with a proven session, to forget what was before it. */
export function isStable(
  life: Pick<LifeEnd, "readyAt" | "provenAt">,
  now: number,
  budget: RestartBudget = defaultBudget,
): boolean {
  if (life.readyAt === undefined || life.provenAt === undefined) return false;
  return now - life.readyAt >= budget.stableMs;
}

function readyFor({ at, readyAt }: LifeEnd): number {
  return readyAt === undefined ? 0 : at - readyAt;
}

function addEnd(history: RestartHistory, at: number, budget: RestartBudget): RestartHistory {
  // A clock set back must not freeze old ends in the window: what lies in the future counts as now.
  const recent = history.ends.filter((end) => at - end < budget.windowMs).map((end) => Math.min(end, at));
  const lastDelayMs = recent.length === 0 ? 0 : history.lastDelayMs;
  return { ends: [...recent, at], count: history.count + 1, lastDelayMs };
}
