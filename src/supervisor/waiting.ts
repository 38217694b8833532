import { elapsedOf } from "../clock.js";
import type { Cause, Failure } from "../errors.js";
import type { ServerState } from "../events.js";
import type { Desk } from "./desk.js";
import type { Call, Unit } from "./unit.js";

const attempting: ReadonlySet<ServerState> = new Set(["connecting", "initializing", "listing"]);
/** States that a wake does not leave. */
const closedFor: ReadonlySet<ServerState> = new Set(["disabled", "retired", "stuck"]);

/** Whether a connection attempt is under way. */
export function isAttempting(unit: Unit): boolean {
  return attempting.has(unit.state);
}

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

/** The failure of calls to a server that cannot be had. */
export function unavailable(unit: Unit, cause: Cause): Failure {
  const code = cause.exitCode ?? cause.httpStatus;
  const tail =
    cause.stderrTail === undefined || cause.stderrTail.length === 0
      ? ""
      : `; last stderr: ${cause.stderrTail.slice(-3).join(" | ")}`;
  return {
    kind: "unavailable",
    message: `server "${unit.spec.name}" is ${unit.state}: ${cause.message}${tail}`,
    ...(code === undefined ? {} : { code }),
    ...(cause.retryAfterMs === undefined ? {} : { retryAfterMs: cause.retryAfterMs }),
  };
}
