import type { Clock, TimerId } from "../index.js";

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to go on; give it to `createSupervisor` as `clock`. */
export interface SimulatedClock extends Clock {
  /** Timers that have not fired and were not cleared. */
  readonly pending: number;
  /** Lets everything that is ready run, without any time passing. */
  settle(): Promise<void>;
  /** Goes on by so many milliseconds; timers fire in order, each with everything it caused done before the next. */
  advance(ms: number): Promise<void>;
}

/** Makes a clock that begins at `startAt` (epoch ms). */
export function simulatedClock(startAt = Date.UTC(2026, 0, 1)): SimulatedClock {
  const timers = new Map<number, Timer>();
  let now = startAt;
  let count = 0;

  function next(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.dueAt <= until && (first === undefined || timer.dueAt < first.dueAt)) first = timer;
    }
    return first;
  }

  return {
    now: () => now,
    elapsed: () => now - startAt,
    setTimeout(callback, delayMs): TimerId {
      const order = ++count;
      timers.set(order, { order, callback, dueAt: now + Math.max(0, delayMs) });
      return order;
    },
    clearTimeout(timer) {
      timers.delete(timer as number);
    },
    get pending() {
      return timers.size;
    },
    settle,
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        now = Math.max(now, timer.dueAt);
        timers.delete(timer.order);
        timer.callback();
        await settle();
      }
      now = until;
    },
  };
}

/** One turn of the event loop: every microtask, however many they cause, has run by then. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
