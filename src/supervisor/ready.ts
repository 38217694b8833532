import { elapsedOf } from "../clock.js";
import type { ConfigProblem } from "../errors.js";
import type { SharedState } from "./state/sharedState.js";
import type { ReadyReport } from "./contract/supervisor.js";
import type { ServerRecord } from "./state/serverRecord.js";
import { recordReaches } from "./state/watch.js";

/** Waits until every enabled server is ready, rests by choice, is parked or has failed a few times; then tells which. */
export async function whenReady(
  shared: SharedState,
  problems: readonly ConfigProblem[],
  withinMs: number,
): Promise<ReadyReport> {
  const begun = elapsedOf(shared.clock);
  const records = [...shared.records.values()].filter((record) => record.spec.enabled);
  const reached = await Promise.all(
    records.map((record) => recordReaches(record, isSettled, shared, withinMs)),
  );
  const servers = records.map((record) => ({
    id: record.id,
    state: record.state,
    required: record.spec.required,
    cause: record.cause,
  }));
  return {
    ok: records.every(isGood) && problems.every((problem) => problem.severity === "warning"),
    timedOut: reached.includes(false),
    servers,
    problems,
    ms: Math.round(elapsedOf(shared.clock) - begun),
  };
}

/** The fourth wait is longer (policy/backoff.ts): the server has failed for some three seconds by then. */
const longWaitMs = 2_500;

function isSettled(record: ServerRecord): boolean {
  // A held server does not begin by itself, however long one waits.
  if (isGood(record) || record.spec.held !== undefined) return true;
  // Tries go on for as long as an outage lasts; after the quick ones there is nothing to wait for.
  if (record.state === "reconnecting")
    return record.nextAttemptAt !== undefined && record.nextAttemptAt - record.since >= longWaitMs;
  // A first attempt that failed leaves it idle until the next call; before the first one it is about to begin.
  return record.state === "idle"
    ? record.generation > 0
    : ["parked", "stuck", "disabled", "retired"].includes(record.state);
}

function isGood(record: ServerRecord): boolean {
  if (record.live !== undefined) return true;
  if (record.spec.held !== undefined) return false;
  return record.state === "idle" && (record.spec.lazy || ["idle", "requested"].includes(record.cause.kind));
}
