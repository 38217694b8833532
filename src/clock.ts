/** A timer as a clock gives it back; only good for `clearTimeout` of the same clock. */
export type TimerId = unknown;

/** Time as the engine reads it: nothing else in src/ asks for the time or sets a timer. */
export interface Clock {
  /** Epoch milliseconds, for people and facts. */
  now(): number;
  /** Milliseconds from any origin that never jump, for deadlines and durations; `now` stands in where it is absent. */
  elapsed?(): number;
  /** Calls back once after so many milliseconds, never within this call. */
  setTimeout(callback: () => void, delayMs: number): TimerId;
  /** Takes a timer back; one that has fired, or is unknown, is no error. */
  clearTimeout(timer: TimerId): void;
}

// As a global this is a getter, which is called anew each time.
const { performance } = globalThis;

/** The real clock. Its timers never keep the process alive: a host that is done may end. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Reads the monotonic time of a clock. */
export function elapsedOf(clock: Clock): number {
  return clock.elapsed === undefined ? clock.now() : clock.elapsed();
}
