import { elapsedOf } from "../../clock.js";
import type { Dated } from "../../rpc/deadlines.js";
import type { SharedState } from "./sharedState.js";
import type { ServerRecord } from "./serverRecord.js";

/** Resolves true when `done` holds for the record, looked at now and after each change of its state; false after `withinMs`. */
export function recordReaches(
  record: ServerRecord,
  done: (record: ServerRecord) => boolean,
  shared: SharedState,
  withinMs: number,
): Promise<boolean> {
  if (done(record)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (reached: boolean): void => {
      if (!record.watchers.delete(look)) return;
      shared.keepAlive.release();
      shared.deadlines.remove(limit);
      resolve(reached);
    };
    const look = (): void => {
      if (done(record)) end(true);
    };
    const limit: Dated = { dueAt: elapsedOf(shared.clock) + withinMs, expire: () => end(false) };
    record.watchers.add(look);
    shared.keepAlive.hold();
    shared.deadlines.add(limit);
  });
}

/** Resolves after this time, on the fleet's one timer. */
export function pause(ms: number, shared: SharedState): Promise<void> {
  return new Promise((resolve) => {
    shared.deadlines.add({ dueAt: elapsedOf(shared.clock) + ms, expire: () => resolve() });
  });
}
