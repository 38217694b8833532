import type { Fact } from "../events.js";

export interface Journal {
  add(fact: Fact): void;
  /** Facts with a sequence number above `seq`, oldest first; `complete` is false when some of them are gone. */
  after(seq: number): { facts: Fact[]; complete: boolean };
}

/** The last `capacity` facts in a ring: adding never moves what is there. */
export function createJournal(capacity: number): Journal {
  const ring: Fact[] = [];
  let next = 0;

  return {
    add(fact) {
      ring[next] = fact;
      next = (next + 1) % capacity;
    },
    after(seq) {
      const start = ring.length < capacity ? 0 : next;
      const ordered = [...ring.slice(start), ...ring.slice(0, start)];
      const facts = ordered.filter((fact) => fact.seq > seq);
      const oldest = ordered[0]?.seq ?? seq + 1;
      return { facts, complete: oldest <= seq + 1 };
    },
  };
}
