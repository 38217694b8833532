import { elapsedOf } from "../../clock.js";
import type { Dated } from "../../rpc/deadlines.js";
import type { Desk } from "./sharedState.js";
import type { Unit } from "./serverRecord.js";

/** Resolves true when `done` holds for the unit, looked at now and after each change of its state; false after `withinMs`. */
export function unitReaches(
  unit: Unit,
  done: (unit: Unit) => boolean,
  desk: Desk,
  withinMs: number,
): Promise<boolean> {
  if (done(unit)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (reached: boolean): void => {
      if (!unit.watchers.delete(look)) return;
      desk.keeper.release();
      desk.deadlines.remove(limit);
      resolve(reached);
    };
    const look = (): void => {
      if (done(unit)) end(true);
    };
    const limit: Dated = { dueAt: elapsedOf(desk.clock) + withinMs, expire: () => end(false) };
    unit.watchers.add(look);
    desk.keeper.hold();
    desk.deadlines.add(limit);
  });
}

/** Resolves after this time, on the fleet's one timer. */
export function pause(ms: number, desk: Desk): Promise<void> {
  return new Promise((resolve) => {
    desk.deadlines.add({ dueAt: elapsedOf(desk.clock) + ms, expire: () => resolve() });
  });
}
