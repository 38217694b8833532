import type { Clock } from "../../../src/index.js";

/** A clock that only a test moves. */
export class ManualClock implements Clock {
  private time = 0;
  private readonly timers = new Map<number, { due: number; callback: () => void }>();
  private next = 1;

  now(): number {
    return this.time;
  }

  setTimeout(callback: () => void, delayMs: number): number {
    this.timers.set(this.next, { due: this.time + delayMs, callback });
    return this.next++;
  }

  clearTimeout(timer: unknown): void {
    if (typeof timer === "number") this.timers.delete(timer);
  }

  get pending(): number {
    return this.timers.size;
  }

  advance(ms: number): void {
    this.time += ms;
    for (const [id, timer] of this.timers) {
      if (timer.due > this.time) continue;
      this.timers.delete(id);
      timer.callback();
    }
  }
}
