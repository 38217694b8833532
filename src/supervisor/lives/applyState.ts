import type { Cause } from "../../errors.js";
import { isServing } from "../../events.js";
import type { ServerEmitted } from "../../machines/serverContext.js";
import { causeTable } from "../../policy/causes.js";
import { startAdvice } from "../../policy/startAdvice.js";
import type { SharedState } from "../state/sharedState.js";
import type { WaitingCalls } from "../state/waitingCalls.js";
import { startHeartbeat } from "./heartbeat.js";
import { hintOf } from "../state/failures.js";
import { tellTools } from "./tellTools.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** Brings a record's fields, the catalog, the waiting calls and the facts up to what its machine has just told. */
export function applyState(
  record: ServerRecord,
  told: ServerEmitted & { type: "state" },
  shared: SharedState,
  waiting: WaitingCalls,
): void {
  const { to, from, generation, nextAttemptAt } = told;
  const cause = withDetails(record, told.cause);
  const wasServing = isServing(record.state);
  const isNew = generation !== record.generation;
  const isRolledBack = from === "replacing" && to === "ready" && !isNew;
  record.state = to;
  record.since = shared.clock.now();
  record.cause = cause;
  record.generation = generation;
  record.nextAttemptAt = nextAttemptAt;
  const served = record.live;
  record.live = isServing(to) ? record.life : undefined;
  const bad = isBad(cause) || isRolledBack;
  if (bad) record.lastError = cause;
  if (isNew) record.warnings.delete("replacement");
  if (isRolledBack) {
    record.rollbacks++;
    record.warnings.set("replacement", cause.message);
  }
  shared.bus.publish({
    type: "mcp.state",
    id: record.id,
    generation,
    from,
    to,
    cause,
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
  });
  tellConnection(record, wasServing && !isNew, bad && (to === "closing" || isRolledBack), shared);
  switch (to) {
    case "ready":
      if (record.live !== served && record.live !== undefined) startHeartbeat(record, record.live, shared);
      return waiting.pump(record);
    case "idle":
      return waiting.onRest(record);
    case "parked":
    case "stuck":
      return waiting.failWaiting(record, record.lastError ?? cause);
    case "reconnecting":
      return waiting.failHopeless(record);
    case "disabled":
    case "retired":
      tellTools(
        shared,
        record.id,
        to === "retired" ? shared.catalog.removeServer(record.id) : shared.catalog.setTools(record.id, []),
      );
      waiting.failWaiting(record, cause);
      if (to === "retired") retire(record, shared);
      return;
    default:
      return;
  }
}

function tellConnection(
  record: ServerRecord,
  wasServing: boolean,
  failed: boolean,
  shared: SharedState,
): void {
  const { id, spec, cause, generation } = record;
  const serves = isServing(record.state);
  const session = record.life?.session;
  if (serves && !wasServing && session !== undefined) {
    const { protocolVersion, server } = session;
    shared.bus.publish({
      type: "mcp.connected",
      id,
      name: spec.name,
      generation,
      tools: shared.catalog.count(id),
      protocolVersion,
      server: { name: record.mask(server.name), version: record.mask(server.version) },
    });
  }
  if (wasServing && !serves)
    shared.bus.publish({ type: "mcp.disconnected", id, name: spec.name, reason: cause });
  tellError(record, failed, shared);
  if (wasServing && !serves) shared.approvals.endAll("disconnected", id);
}

/** Once per kind of fault: an outage of hours is one fact, however many tries it takes. */
function tellError(record: ServerRecord, failed: boolean, shared: SharedState): void {
  const { id, spec, cause, toldError } = record;
  if (isServing(record.state) || cause.kind === "requested") record.toldError = undefined;
  if (!failed) return;
  const { kind, httpStatus, exitCode } = cause;
  const error = `${kind} ${httpStatus} ${exitCode}`;
  if (error === toldError && record.state !== "replacing" && !isServing(record.state)) return;
  record.toldError = error;
  shared.bus.publish({ type: "mcp.error", id, name: spec.name, error: cause });
}

function retire(record: ServerRecord, shared: SharedState): void {
  if (shared.records.get(record.id) === record) shared.records.delete(record.id);
  shared.bus.publish({ type: "mcp.retired", id: record.id });
}

/** What went wrong, as opposed to what somebody asked for. */
function isBad(cause: Cause): boolean {
  const row = causeTable[cause.kind];
  return row.counts === "always" || (row.counts === "early" && cause.kind !== "clean-exit");
}

/** What its configuration shows about a process that never answered. */
function adviceOf({ spec, mask }: ServerRecord, cause: Cause): string {
  return spec.target.kind === "stdio" ? mask(startAdvice(cause, spec.target)) : "";
}

/** Failures carry what is known of the server: its last words on stderr, and what it said that was not understood. */
function withDetails(record: ServerRecord, cause: Cause): Cause {
  if (!isBad(cause)) return cause;
  const stderrTail = cause.stderrTail ?? (record.life?.transport?.stderrTail() ?? []).map(record.mask);
  const hint = cause.kind === "connect-timeout" ? hintOf(record, ["noise"]) : "";
  return {
    ...cause,
    message: cause.message + hint + adviceOf(record, cause),
    ...(stderrTail.length === 0 ? {} : { stderrTail }),
  };
}
