import type { Fact } from "../events.js";
import { callFact } from "./callFacts.js";
import type { CallNote, CallRoute } from "./callFacts.js";

export interface Journal {
  /** Facts come in the order of their sequence numbers, from 1 on without gaps, whichever way they are added. */
  add(fact: Fact): void;
  /** The same for the fact of a note; nothing is kept of the note itself. */
  note(note: CallNote, at: number): void;
  /** Facts with a sequence number above `seq`, oldest first; `complete` is false when some of them are gone. */
  after(seq: number): { facts: Fact[]; complete: boolean };
}

/** Numbers of a note: at, count, size, queuedMs, durationMs. */
const columns = 5;
const leastRoom = 128;

/**
 * The last `capacity` facts in a ring: adding never moves what is there. The two facts of each good call are kept as
 * numbers: as objects they outlive the young generation by thousands, and copying them costs more than the call.
 */
export function createJournal(capacity: number): Journal {
  const ring: (Fact | CallRoute)[] = [];
  let kinds = new Uint8Array(0);
  let numbers = new Float64Array(0);
  let last = 0;

  /** Makes room for the numbers of a slot: a fleet that is hardly used should not pay for thousands of calls. */
  function grow(slot: number): void {
    const size = Math.min(capacity, Math.max(leastRoom, slot * 2));
    const [oldKinds, oldNumbers] = [kinds, numbers];
    kinds = new Uint8Array(size);
    numbers = new Float64Array(size * columns);
    kinds.set(oldKinds);
    numbers.set(oldNumbers);
  }

  function factAt(seq: number): Fact {
    const slot = (seq - 1) % capacity;
    const kind = kinds[slot] ?? isFact;
    if (kind === isFact) return ring[slot] as Fact;
    const row = numbers.subarray(slot * columns, slot * columns + columns);
    const [at = 0, count = 0, size = 0, queuedMs = 0, durationMs = 0] = row;
    const route = ring[slot] as CallRoute;
    const note = { route, count, size, queuedMs, durationMs };
    return callFact({ kind: kind === isStart ? "started" : "settled", ...note }, seq, at);
  }

  return {
    add(fact) {
      const slot = last++ % capacity;
      ring[slot] = fact;
      if (slot < kinds.length) kinds[slot] = isFact;
    },
    note({ kind, route, count, size, queuedMs, durationMs }, at) {
      const slot = last++ % capacity;
      if (slot >= kinds.length) grow(slot);
      ring[slot] = route;
      kinds[slot] = kind === "started" ? isStart : isEnd;
      const from = slot * columns;
      numbers[from] = at;
      numbers[from + 1] = count;
      numbers[from + 2] = size;
      numbers[from + 3] = queuedMs;
      numbers[from + 4] = durationMs;
    },
    after(seq) {
      const first = Math.max(1, last - capacity + 1);
      const facts: Fact[] = [];
      for (let each = Math.max(first, seq + 1); each <= last; each++) facts.push(factAt(each));
      return { facts, complete: last === 0 || first <= seq + 1 };
    },
  };
}

const isFact = 0;
const isStart = 1;
const isEnd = 2;
