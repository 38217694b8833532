import type { Platform, ProcessRow, TreeSignal } from "../platform/platform.js";
import { isLedBy, type Tree } from "./tree.js";

/** What one look at all processes has shown of a tree. */
export interface Sight {
  /** Its live members, newest first. */
  readonly members: readonly ProcessRow[];
  /** Process groups with a member and without an innocent: they can be signalled as a whole. */
  readonly groups: ReadonlySet<number>;
}

export const nothing: Sight = { members: [], groups: new Set() };

/** Groups of the members in which nobody else is. */
export function wholeGroups(
  members: readonly ProcessRow[],
  taken: (pgid: number) => boolean,
): ReadonlySet<number> {
  return new Set(members.map((row) => row.pgid).filter((pgid) => pgid > 1 && !taken(pgid)));
}

/**
 * Signals what was seen: whole groups by one system call each, which no fork slips through, and one by one who is in a
 * group with others. Whatever has another start time, or another leader, by now is left alone.
 */
export function signalSight(
  tree: Tree,
  { members, groups }: Sight,
  signal: TreeSignal,
  platform: Platform,
): void {
  const polite = signal === "SIGTERM" || signal === "SIGCONT";
  const frail = polite ? members.find((row) => row.pid === tree.frail) : undefined;
  const done = new Set<number>();
  for (const pgid of groups) {
    if (pgid === frail?.pgid || !isLedBy(tree.groups, pgid, platform)) continue;
    platform.signalGroup(pgid, signal);
    done.add(pgid);
  }
  for (const row of members) {
    if (done.has(row.pgid) || row === frail) continue;
    const now = platform.looks ? platform.look(row.pid) : row;
    if (now?.start === row.start) platform.signal(row.pid, signal);
  }
}
