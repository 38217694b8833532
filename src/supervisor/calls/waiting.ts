import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import type { ServerState } from "../../events.js";
import type { Behalf } from "../../protocol/behalf.js";
import { peerOf } from "../../protocol/behalfOwner.js";
import type { SharedState } from "../state/sharedState.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import { isAttempting } from "../state/attempts.js";
import { disabled, unavailable } from "../state/failures.js";

/** States that a wake does not leave. */
const closedFor: ReadonlySet<ServerState> = new Set(["disabled", "retired", "stuck"]);

/** The generation whose failed attempt fails a call that begins to wait now: the running one, else the next. */
export function joinedGeneration(record: ServerRecord): number {
  return isAttempting(record) ? record.generation : record.generation + 1;
}

/** Why waiting for this server makes no sense; undefined when it does. */
export function whyNoWait(
  record: ServerRecord,
  shared: SharedState,
  call: Pick<Call, "dueAt">,
): Failure | undefined {
  const { spec, state, cause } = record;
  if (!spec.enabled) return disabled(record);
  if (closedFor.has(state)) return unavailable(record, cause);
  if (spec.held !== undefined)
    return unavailable(record, { kind: spec.held.kind, message: spec.held.message });
  if (state === "reconnecting" && record.nextAttemptAt !== undefined) {
    const waitMs = record.nextAttemptAt - shared.clock.now();
    if (elapsedOf(shared.clock) + waitMs > call.dueAt)
      return {
        ...unavailable(record, record.lastError ?? cause),
        retryAfterMs: Math.max(0, Math.ceil(waitMs)),
      };
  }
  return undefined;
}

/**
 * Whether it is the turn of these, and from now on it is: a server that serves in turns takes a call of another session
 * once those of this one are over.
 */
export function takesTurn(record: ServerRecord, behalf: Behalf | undefined): boolean {
  if (!record.inTurns) return true;
  if (record.inFlight === 0) record.turn = peerOf(behalf);
  return record.turn === peerOf(behalf);
}
