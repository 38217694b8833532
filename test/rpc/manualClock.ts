import type { Clock } from "../../src/clock.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export interface ManualClock extends Clock {
  /** Runs every timer that is due on the way. */
  advance(ms: number): void;
  timers(): number;
}

/** A clock that stands still until it is told to go on. */
export function manualClock(start = 0): ManualClock {
  let now = start;
  const timers = new Set<Timer>();
  return {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer: Timer = { at: now + delayMs, callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    timers: () => timers.size,
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
  };
}
