import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { isAttempting } from "../state/attempts.js";
import { unavailable } from "../state/failures.js";
import type { ServerRecord } from "../state/serverRecord.js";
import type { SharedState } from "../state/sharedState.js";
import { recordReaches } from "../state/watch.js";

/** The server that a public name would belong to, by its beginning, where none of its tools is known yet. */
export function ownerToBe(name: string, shared: SharedState): ServerRecord | undefined {
  const id = shared.catalog.owner(name);
  const record = id === undefined ? undefined : shared.records.get(id);
  if (record === undefined || record.live !== undefined || shared.catalog.count(record.id) > 0)
    return undefined;
  return record;
}

/** Why a tool of a server that never came up cannot be called: not "there is no such tool". */
export function notUp(record: ServerRecord): Failure {
  const cause = record.spec.held ?? record.lastError ?? record.cause;
  return unavailable(record, cause);
}

/**
 * Waits until the tools of such a server are known, or it is clear that they will not be; at most `withinMs`, or until the
 * signal fires.
 */
export async function untilKnown(
  record: ServerRecord,
  shared: SharedState,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begun = elapsedOf(shared.clock);
  const before = isAttempting(record) ? record.generation - 1 : record.generation;
  if (!canCome(record)) return;
  if (record.state === "idle") shared.bus.order({ type: "server.wake", id: record.id });
  const isOver = (): boolean =>
    signal?.aborted === true ||
    shared.closed !== undefined ||
    record.live !== undefined ||
    !canCome(record) ||
    (record.state === "idle" && record.generation > before);
  const reached = recordReaches(
    record,
    isOver,
    shared,
    Math.max(1, withinMs - (elapsedOf(shared.clock) - begun)),
  );
  if (signal === undefined) return void (await reached);
  const over = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true, signal: over.signal });
  });
  await Promise.race([reached, stopped]);
  over.abort();
}

function canCome(record: ServerRecord): boolean {
  return (
    record.spec.enabled &&
    record.spec.held === undefined &&
    !["parked", "stuck", "disabled", "retired"].includes(record.state)
  );
}
