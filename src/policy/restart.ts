import type { Cause } from "../errors.js";
import { backoff, clampDelay } from "./backoff.js";
import { causeTable } from "./causes.js";

/** How the lives of one server ended so far; plain data. */
export interface RestartHistory {
  /** Ends of the last minute that nobody asked for, epoch ms, oldest first; the last one stays until the next. */
  readonly ends: readonly number[];
  /** Tries in a row that came to nothing: lives that ended before they had served. */
  readonly failures: number;
  /** Abnormal ends since the history was last forgotten. */
  readonly count: number;
  /** The wait before the last try; the next one of the same row of failures is never shorter. */
  readonly lastDelayMs: number;
}

export interface RestartBudget {
  /** So many new lives may begin within `minuteMs`, whatever they end of. */
  readonly maxPerMinute: number;
  readonly minuteMs: number;
  /** So many failures in a row, of a kind that does not pass by itself, and nothing more is tried. */
  readonly maxFailures: number;
  /** A life that began so long after the end before it begins a new row of failures; one that was ready for `stableMs`, too. */
  readonly quietMs: number;
  /** Ready for so long, and a session proven: it has served. A process that ends sooner ended in its first seconds. */
  readonly settledMs: number;
  /** Ready for so long, and a session proven: the history is forgotten. */
  readonly stableMs: number;
}

export const defaultBudget: RestartBudget = {
  maxPerMinute: 8,
  minuteMs: 60_000,
  maxFailures: 5,
  quietMs: 900_000,
  settledMs: 10_000,
  stableMs: 60_000,
};

export const noHistory: RestartHistory = { ends: [], failures: 0, count: 0, lastDelayMs: 0 };

/** The end of one life. Times are epoch ms; `readyAt` and `provenAt` are absent when it did not come so far. */
export interface LifeEnd {
  readonly at: number;
  readonly beganAt: number;
  /** A try costs no process on this machine. */
  readonly remote: boolean;
  readonly cause: Cause;
  readonly readyAt?: number | undefined;
  readonly provenAt?: number | undefined;
}

export type RestartVerdict =
  | { readonly kind: "again"; readonly delayMs: number; readonly history: RestartHistory }
  | { readonly kind: "permanent"; readonly history: RestartHistory }
  | { readonly kind: "gave-up"; readonly history: RestartHistory };

/**
 * Whether and when a new life may begin after this end. A life that has served is followed at once. Tries that fail are
 * repeated with growing waits: without an end where the fault is of a kind that passes (an outage of the network, a
 * process that ends in its first seconds), `maxFailures` times where it is not. `random` is in [0, 1).
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
  const served = settled && end.provenAt !== undefined;
  if (row.counts === "never")
    return row.permanent
      ? { kind: "permanent", history: known }
      : { kind: "again", delayMs: 0, history: known };
  const history = counted ? addFailure(known, end, served, budget) : addEnd(known, end.at, budget);
  if (row.permanent) return { kind: "permanent", history };
  if (!counted) return { kind: "again", delayMs: fullMinute(history, end.at, budget), history };
  if (history.failures >= budget.maxFailures && !passes(end, budget)) return { kind: "gave-up", history };
  const isFirst = settled && history.failures <= 1 && history.ends.length === 1;
  const waitMs = isFirst ? 0 : backoff(history.failures, random, history.lastDelayMs);
  const delayMs = Math.max(waitMs, end.cause.retryAfterMs ?? 0, fullMinute(history, end.at, budget));
  return { kind: "again", delayMs: clampDelay(delayMs), history: { ...history, lastDelayMs: waitMs } };
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

/** True when trying again is the cure: the same try may work as soon as something outside has changed. */
function passes({ at, beganAt, cause, remote }: LifeEnd, budget: RestartBudget): boolean {
  switch (causeTable[cause.kind].passes) {
    case "always":
      return true;
    case "remote":
      return remote;
    case "early":
      return at - beganAt < budget.settledMs;
    case "never":
      return false;
  }
}

function readyFor({ at, readyAt }: LifeEnd): number {
  return readyAt === undefined ? 0 : at - readyAt;
}

function addEnd(history: RestartHistory, at: number, { minuteMs }: RestartBudget): RestartHistory {
  // A clock set back must not freeze old ends in the minute: what lies in the future counts as now.
  const recent = history.ends.filter((each) => at - each < minuteMs).map((each) => Math.min(each, at));
  return { ...history, ends: [...recent, at] };
}

function addFailure(
  history: RestartHistory,
  end: LifeEnd,
  served: boolean,
  budget: RestartBudget,
): RestartHistory {
  const last = history.ends.at(-1);
  const isNewRow =
    served || last === undefined || end.beganAt - last > budget.quietMs || readyFor(end) >= budget.stableMs;
  return {
    ...addEnd(history, end.at, budget),
    failures: served ? 0 : isNewRow ? 1 : history.failures + 1,
    count: history.count + 1,
    lastDelayMs: isNewRow ? 0 : history.lastDelayMs,
  };
}

/** How long to wait until the minute has room for one more life. */
function fullMinute({ ends }: RestartHistory, at: number, { maxPerMinute, minuteMs }: RestartBudget): number {
  const oldest = ends.at(-maxPerMinute);
  return oldest === undefined ? 0 : oldest + minuteMs - at;
}
