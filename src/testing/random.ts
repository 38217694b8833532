/** Chance from a seed: the same seed gives the same numbers on every machine. */
export interface SeededRandom {
  /** In [0, 1), like Math.random. */
  readonly next: () => number;
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the items. Throws RangeError for an empty list. */
  pick<T>(items: readonly T[]): T;
  /** A stream of its own, so that one part's use of chance does not shift another's. */
  fork(): SeededRandom;
}

/** The mulberry32 generator over a 32-bit seed; good for tests, not for secrets. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
    fork: () => seededRandom(below(2 ** 32)),
  };
}
