import { isAttempting } from "../state/attempts.js";
import type { Unit } from "../state/serverRecord.js";

/** Lets at most so many servers start at the same time when the whole fleet begins. */
export class StartGate {
  readonly #size: number;
  readonly #begin: (unit: Unit) => void;
  readonly #waiting: Unit[] = [];
  readonly #starting = new Set<Unit>();

  constructor(size: number, begin: (unit: Unit) => void) {
    this.#size = size;
    this.#begin = begin;
  }

  enter(unit: Unit): void {
    this.#waiting.push(unit);
    this.#next();
  }

  /** To be told after each change of a unit's state. */
  left(unit: Unit): void {
    if (!isAttempting(unit) && this.#starting.delete(unit)) this.#next();
  }

  #next(): void {
    while (this.#starting.size < this.#size) {
      const unit = this.#waiting.shift();
      if (unit === undefined) return;
      this.#starting.add(unit);
      this.#begin(unit);
      // Lazy, disabled and held servers do not begin: their place is free at once.
      if (!isAttempting(unit)) this.#starting.delete(unit);
    }
  }
}
