import { elapsedOf } from "../../inner.js";
import type { Clock, TimerId } from "../../index.js";

/** A clock that knows how many of its timers are still to fire. */
export interface CountedClock extends Clock {
  readonly pending: number;
}

export function countedClock(clock: Clock): CountedClock {
  const open = new Set<TimerId>();
  return {
    now: () => clock.now(),
    elapsed: () => elapsedOf(clock),
    setTimeout(callback, delayMs) {
      const timer = clock.setTimeout(() => {
        open.delete(timer);
        callback();
      }, delayMs);
      open.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      open.delete(timer);
      clock.clearTimeout(timer);
    },
    get pending() {
      return open.size;
    },
  };
}
