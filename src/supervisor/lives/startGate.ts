import { isAttempting } from "../state/attempts.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** Lets at most so many servers start at the same time when the whole fleet begins. */
export class StartGate {
  readonly #size: number;
  readonly #begin: (record: ServerRecord) => void;
  readonly #waiting: ServerRecord[] = [];
  readonly #starting = new Set<ServerRecord>();

  constructor(size: number, begin: (record: ServerRecord) => void) {
    this.#size = size;
    this.#begin = begin;
  }

  enter(record: ServerRecord): void {
    this.#waiting.push(record);
    this.#next();
  }

  /** To be told after each change of a record's state. */
  left(record: ServerRecord): void {
    if (!isAttempting(record) && this.#starting.delete(record)) this.#next();
  }

  #next(): void {
    while (this.#starting.size < this.#size) {
      const record = this.#waiting.shift();
      if (record === undefined) return;
      this.#starting.add(record);
      this.#begin(record);
      // Lazy, disabled and held servers do not begin: their place is free at once.
      if (!isAttempting(record)) this.#starting.delete(record);
    }
  }
}
