import type { Cause } from "../../errors.js";
import { isServing } from "../../events.js";
import type { ServerEmitted } from "../../machines/serverContext.js";
import { causeTable } from "../../policy/causes.js";
import type { Desk } from "../state/sharedState.js";
import type { WaitingCalls } from "../state/waitingCalls.js";
import { startHeartbeat } from "./heartbeat.js";
import { hintOf } from "../state/failures.js";
import { tellTools } from "./tellTools.js";
import type { Unit } from "../state/serverRecord.js";

/** Brings a unit's fields, the catalog, the waiting calls and the facts up to what its machine has just told. */
export function onUnitState(
  unit: Unit,
  told: ServerEmitted & { type: "state" },
  desk: Desk,
  waiting: WaitingCalls,
): void {
  const { to, from, generation, nextAttemptAt } = told;
  const cause = withDetails(unit, told.cause);
  const wasServing = isServing(unit.state);
  const isNew = generation !== unit.generation;
  const isRolledBack = from === "replacing" && to === "ready" && !isNew;
  unit.state = to;
  unit.since = desk.clock.now();
  unit.cause = cause;
  unit.generation = generation;
  unit.nextAttemptAt = nextAttemptAt;
  const served = unit.live;
  unit.live = isServing(to) ? unit.life : undefined;
  const bad = isBad(cause) || isRolledBack;
  if (bad) unit.lastError = cause;
  if (isNew) unit.warnings.delete("replacement");
  if (isRolledBack) {
    unit.rollbacks++;
    unit.warnings.set("replacement", cause.message);
  }
  desk.bus.publish({
    type: "mcp.state",
    id: unit.id,
    generation,
    from,
    to,
    cause,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
  });
  tellConnection(unit, wasServing && !isNew, bad && (to === "closing" || isRolledBack), desk);
  switch (to) {
    case "ready":
      if (unit.live !== served && unit.live !== undefined) startHeartbeat(unit, unit.live, desk);
      return waiting.pump(unit);
    case "idle":
      return waiting.onRest(unit);
    case "parked":
    case "stuck":
      return waiting.failWaiting(unit, unit.lastError ?? cause);
    case "reconnecting":
      return waiting.failHopeless(unit);
    case "disabled":
    case "retired":
      tellTools(
        desk,
        unit.id,
        to === "retired" ? desk.catalog.removeServer(unit.id) : desk.catalog.setTools(unit.id, []),
      );
      waiting.failWaiting(unit, cause);
      if (to === "retired") retire(unit, desk);
      return;
    default:
      return;
  }
}

function tellConnection(unit: Unit, wasServing: boolean, failed: boolean, desk: Desk): void {
  const { id, spec, cause, generation } = unit;
  const serves = isServing(unit.state);
  const session = unit.life?.session;
  if (serves && !wasServing && session !== undefined) {
    const { protocolVersion, server } = session;
    desk.bus.publish({
      type: "mcp.connected",
      id,
      name: spec.name,
      generation,
      tools: desk.catalog.count(id),
      protocolVersion,
      server: { name: server.name, version: server.version },
    });
  }
  if (wasServing && !serves)
    desk.bus.publish({ type: "mcp.disconnected", id, name: spec.name, reason: cause });
  if (failed) desk.bus.publish({ type: "mcp.error", id, name: spec.name, error: cause });
  if (wasServing && !serves) desk.approvals.endAll("disconnected", id);
}

function retire(unit: Unit, desk: Desk): void {
  if (desk.units.get(unit.id) === unit) desk.units.delete(unit.id);
  desk.bus.publish({ type: "mcp.retired", id: unit.id });
}

/** What went wrong, as opposed to what somebody asked for. */
function isBad(cause: Cause): boolean {
  const row = causeTable[cause.kind];
  return row.counts === "always" || (row.counts === "early" && cause.kind !== "clean-exit");
}

/** Failures carry what is known of the server: its last words on stderr, and what it said that was not understood. */
function withDetails(unit: Unit, cause: Cause): Cause {
  if (!isBad(cause)) return cause;
  const stderrTail = cause.stderrTail ?? (unit.life?.transport?.stderrTail() ?? []).map(unit.mask);
  const hint = cause.kind === "connect-timeout" ? hintOf(unit, ["noise"]) : "";
  return {
    ...cause,
    message: cause.message + hint,
    ...(stderrTail.length === 0 ? {} : { stderrTail }),
  };
}
