import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import type { ServerState } from "../../events.js";
import type { Desk } from "../state/sharedState.js";
import type { Call, Unit } from "../state/serverRecord.js";
import { isAttempting } from "../state/attempts.js";
import { unavailable } from "../state/failures.js";

/** States that a wake does not leave. */
const closedFor: ReadonlySet<ServerState> = new Set(["disabled", "retired", "stuck"]);

/** The generation whose failed attempt fails a call that begins to wait now: the running one, else the next. */
export function joinedGeneration(unit: Unit): number {
  return isAttempting(unit) ? unit.generation : unit.generation + 1;
}

/** Why waiting for this server makes no sense; undefined when it does. */
export function whyNoWait(unit: Unit, desk: Desk, call: Call): Failure | undefined {
  const { spec, state, cause } = unit;
  if (!spec.enabled || closedFor.has(state)) return unavailable(unit, cause);
  if (spec.held !== undefined) return unavailable(unit, { kind: spec.held.kind, message: spec.held.message });
  if (state === "reconnecting" && unit.nextAttemptAt !== undefined) {
    const waitMs = unit.nextAttemptAt - desk.clock.now();
    if (elapsedOf(desk.clock) + waitMs > call.dueAt)
      return { ...unavailable(unit, unit.lastError ?? cause), retryAfterMs: Math.max(0, Math.ceil(waitMs)) };
  }
  return undefined;
}
