import type { Clock } from "../../clock.js";
import type { ProcessRow } from "../platform/platform.js";

/** A look can be fooled by what changes between two moments; four in a row were never. */
const emptyLooks = 4;
/** … but by what changes its session all the time: nothing of it may be seen for so long. */
const quietMs = 2000;
const firstGapMs = 15;
const gapStepMs = 5;
const longestGapMs = 50;

/** Judges from look after look whether a tree is gone. */
export interface Vigil {
  /** Takes in one look; true when the tree is gone for certain. */
  note(members: readonly ProcessRow[]): boolean;
  /** How long to wait after an empty look. Uneven, so that nobody hides by keeping step. */
  gapMs(): number;
  /** How many were seen in all. */
  seen(): number;
}

/**
 * A tree is gone after four empty looks in a row. When its members change groups while it is being ended, or with
 * `patient` in any case, there must be nothing to be seen for two seconds as well: each hop is a chance to be missed.
 */
export function createVigil(clock: Clock, patient: boolean): Vigil {
  const seen = new Set<string>();
  let groups: Set<number> | undefined;
  let hops = patient;
  let empty = 0;
  let quietSince = clock.now();
  return {
    note(members) {
      const now = clock.now();
      if (members.length === 0) {
        empty += 1;
        return empty >= emptyLooks && (!hops || now - quietSince >= quietMs);
      }
      empty = 0;
      quietSince = now;
      for (const { pid, start } of members) seen.add(`${pid}:${start}`);
      const known = (groups ??= new Set(members.map((row) => row.pgid)));
      hops ||= members.some((row) => !known.has(row.pgid));
      return false;
    },
    gapMs: () => Math.min(firstGapMs + gapStepMs * Math.max(0, empty - emptyLooks), longestGapMs),
    seen: () => seen.size,
  };
}
