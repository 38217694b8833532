import { elapsedOf } from "../clock.js";
import type { Clock, TimerId } from "../clock.js";

/** Something that ends at a time unless it is removed before. */
export interface Dated {
  /** On the monotonic scale of the clock, in ms; may move later at any time (progress), which needs no telling. */
  dueAt: number;
  /** Kept by the deadlines it was added to: its place among them, undefined outside. */
  place?: number | undefined;
  expire(now: number): void;
}

export interface Deadlines {
  add(item: Dated): void;
  remove(item: Dated): void;
  /** Gives back the timer; nothing expires any more. */
  close(): void;
  readonly size: number;
}

/** Two sweeps are at least this far apart: many calls that end together cost one pass. */
const gapMs = 5;

/**
 * A timer that is later than this was held up: the process was stopped, the machine slept, or the loop was busy. What
 * came meanwhile lies in the pipes and is read first, because timers fire before it.
 */
const lateMs = 500;
const readMs = 20;

/**
 * All deadlines of a fleet behind one timer. A call that is answered in time costs a place in a list and no timer of
 * its own: the sweep looks at what is left when the earliest known deadline passes, and arms itself for the next.
 */
export function createDeadlines(clock: Clock): Deadlines {
  // A list that fills its gaps from the end, and no Set: the outgrown tables of a Set keep alive what was in them.
  const items: Dated[] = [];
  let timer: TimerId;
  let armedFor = Infinity;

  function arm(dueAt: number): void {
    if (armedFor !== Infinity) clock.clearTimeout(timer);
    armedFor = dueAt;
    // 2^31-1 ms is the longest delay a timer holds; a sweep that comes early just arms again.
    timer = clock.setTimeout(sweep, Math.min(Math.max(dueAt - elapsedOf(clock), 0), 2_147_483_647));
  }

  let waited = false;

  function sweep(): void {
    const now = elapsedOf(clock);
    const isLate = now - armedFor > lateMs && !waited;
    waited = isLate;
    if (isLate) {
      timer = clock.setTimeout(sweep, readMs);
      return;
    }
    armedFor = Infinity;
    let next = Infinity;
    const due: Dated[] = [];
    for (const item of items) {
      if (item.dueAt <= now) due.push(item);
      else if (item.dueAt < next) next = item.dueAt;
    }
    for (const item of due) {
      // The expiry of one may have removed another.
      if (item.place === undefined) continue;
      remove(item);
      item.expire(now);
    }
    // An expiry may have added items and armed the timer already.
    if (next < armedFor) arm(Math.max(next, now + gapMs));
  }

  function remove(item: Dated): void {
    const { place } = item;
    if (place === undefined) return;
    item.place = undefined;
    const last = items.pop();
    if (last === undefined || last === item) return;
    items[place] = last;
    last.place = place;
  }

  return {
    add(item) {
      item.place ??= items.push(item) - 1;
      if (item.dueAt < armedFor) arm(item.dueAt);
    },
    remove,
    close() {
      for (const item of items.splice(0)) item.place = undefined;
      clock.clearTimeout(timer);
      armedFor = Infinity;
    },
    get size() {
      return items.length;
    },
  };
}
