import { elapsedOf } from "../clock.js";
import type { ConfigProblem } from "../errors.js";
import type { Desk } from "./state/sharedState.js";
import type { ReadyReport } from "./contract/supervisor.js";
import type { Unit } from "./state/serverRecord.js";
import { unitReaches } from "./state/watch.js";

/** Waits until every enabled server is ready, rests by choice, is parked or failed; then tells which. */
export async function whenReady(
  desk: Desk,
  problems: readonly ConfigProblem[],
  withinMs: number,
): Promise<ReadyReport> {
  const begun = elapsedOf(desk.clock);
  const units = [...desk.units.values()].filter((unit) => unit.spec.enabled);
  const reached = await Promise.all(units.map((unit) => unitReaches(unit, isSettled, desk, withinMs)));
  const servers = units.map((unit) => ({
    id: unit.id,
    state: unit.state,
    required: unit.spec.required,
    cause: unit.cause,
  }));
  return {
    ok: units.every(isGood) && problems.every((problem) => problem.severity === "warning"),
    timedOut: reached.includes(false),
    servers,
    problems,
    ms: Math.round(elapsedOf(desk.clock) - begun),
  };
}

function isSettled(unit: Unit): boolean {
  // A held server does not begin by itself, however long one waits.
  if (isGood(unit) || unit.spec.held !== undefined) return true;
  // A first attempt that failed leaves it idle until the next call; before the first one it is about to begin.
  return unit.state === "idle"
    ? unit.generation > 0
    : ["parked", "stuck", "disabled", "retired"].includes(unit.state);
}

function isGood(unit: Unit): boolean {
  if (unit.live !== undefined) return true;
  if (unit.spec.held !== undefined) return false;
  return unit.state === "idle" && (unit.spec.lazy || ["idle", "requested"].includes(unit.cause.kind));
}
