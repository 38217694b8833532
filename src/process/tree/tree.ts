import type { Cgroup } from "../containment/cgroup.js";
import type { Identity, Platform, ProcessRow } from "../platform/platform.js";
import { isSharedDaemon } from "./spare.js";

/**
 * Everything that descends from one child, or from all children of a run that is over, and by what it is recognised.
 * This is the one description of what is ours: a stop, the watchdog and the reaper all go by it.
 */
export interface Tree {
  /** Those we started ourselves; a start that was too costly to ask for is empty. */
  readonly roots: readonly Identity[];
  /** Our mark of this life as `markText` writes it, or the beginning of all marks of a run (`<run>.`). */
  readonly mark: string;
  /** Nobody in it began before this; empty when that is not known. */
  readonly since: string;
  /** Names of the pipes we made for its roots; nothing else is compared, for a shared stderr proves nothing. */
  readonly pipes: readonly string[];
  /** Start time by pid of every process that was found to belong here. */
  readonly known: Map<number, string>;
  /** Groups and sessions that are led by it; the leader's start time, undefined when the leader was dead already. */
  readonly groups: Map<number, string | undefined>;
  readonly sessions: Map<number, string | undefined>;
  /** Shared daemons that were recognised and left alone. */
  readonly spared: Map<number, ProcessRow>;
  /** Its control group, where containment made one: membership is proof. */
  readonly cgroup?: Cgroup;
  /** Only the kill is for this one: it is no server and would take the server with it. */
  readonly frail?: number;
  rootExited: boolean;
}

/** What a process shows of itself, read on demand. */
export interface Evidence {
  /** Who is in the tree's control group. */
  cgroup(tree: Tree): ReadonlySet<number>;
  /** The marks in its environment. */
  marks(): readonly string[];
  /** What stands behind its fds 0-2. */
  stdio(): readonly string[];
}

export interface TreeSeed {
  readonly roots: readonly Identity[];
  readonly mark: string;
  readonly since: string;
  readonly pipes: readonly string[];
  /** Each root leads its own group and session. */
  readonly ownGroup: boolean;
  readonly cgroup?: Cgroup | undefined;
  readonly frail?: number | undefined;
}

/** A tree that so far is its roots. */
export function createTree({ ownGroup, cgroup, frail, ...seed }: TreeSeed): Tree {
  const rows = seed.roots.map(({ pid, start }) => [pid, start] as const);
  return {
    ...seed,
    known: new Map(rows),
    groups: new Map(ownGroup ? rows : []),
    sessions: new Map(ownGroup ? rows : []),
    spared: new Map(),
    rootExited: false,
    ...(cgroup === undefined ? {} : { cgroup }),
    ...(frail === undefined ? {} : { frail }),
  };
}

/** Whether a live process belongs to the tree by itself; descent is looked at when the scan is complete. */
export function belongs(tree: Tree, row: ProcessRow, evidence: Evidence, platform: Platform): boolean {
  // Nobody is older than the one it descends from: most of a machine is told apart without a further look.
  if (platform.startedBefore(row.start, tree.since)) return false;
  if (tree.known.get(row.pid) === row.start || isUnseenRoot(tree, row)) return true;
  if (isLed(tree, row, platform)) return true;
  if (evidence.cgroup(tree).has(row.pid)) return true;
  if (evidence.marks().some((mark) => isMark(tree, mark))) return true;
  return tree.pipes.length > 0 && evidence.stdio().some((name) => tree.pipes.includes(name));
}

function isMark({ mark: ours }: Tree, mark: string): boolean {
  return ours.endsWith(".") ? mark.startsWith(ours) : mark === ours;
}

/** A root whose start time was too costly to ask for: its pid stays its own until we have noticed its exit. */
function isUnseenRoot({ roots, rootExited }: Tree, row: ProcessRow): boolean {
  return !rootExited && roots.some(({ pid, start }) => start === "" && pid === row.pid);
}

/** Whether its group or its session is led by the tree. */
export function isLed(tree: Tree, row: ProcessRow, platform: Platform): boolean {
  return isLedBy(tree.groups, row.pgid, platform) || isLedBy(tree.sessions, row.sid, platform);
}

/** A number counts only while its leader is the one we knew, or is gone (then the kernel keeps it reserved). */
export function isLedBy(leaders: Map<number, string | undefined>, id: number, platform: Platform): boolean {
  if (id <= 1 || !leaders.has(id)) return false;
  const leader = platform.looks ? platform.look(id) : undefined;
  if (leader === undefined || leader.start === leaders.get(id)) return true;
  leaders.delete(id);
  return false;
}

/**
 * Takes the group and the session of a member in, unless they are our own, or their leader lives and is a stranger.
 */
export function learn(tree: Tree, row: ProcessRow, own: ReadonlySet<number>, platform: Platform): void {
  for (const [leaders, id] of [
    [tree.groups, row.pgid],
    [tree.sessions, row.sid],
  ] as const) {
    if (id <= 1 || own.has(id) || leaders.has(id)) continue;
    const start = platform.looks ? platform.look(id)?.start : undefined;
    if (start === undefined || tree.known.get(id) === start) leaders.set(id, start);
  }
}

/** A shared daemon is left alone once it has left our sessions and no member of the tree is its parent. */
export function isSpared(tree: Tree, row: ProcessRow, parents: ReadonlySet<number>): boolean {
  return isSharedDaemon(row.name) && !tree.roots.some(({ pid }) => pid === row.sid) && !parents.has(row.ppid);
}

/**
 * Forgets groups and sessions that were learned from members: hours may have passed, and their numbers may be
 * somebody else's. They are learned again from the members that are still there.
 */
export function forgetLearned(tree: Tree): void {
  const own = new Set(tree.roots.map(({ pid }) => pid));
  for (const leaders of [tree.groups, tree.sessions]) {
    for (const id of leaders.keys()) if (!own.has(id)) leaders.delete(id);
  }
}

/** After a sweep: a group whose leader is dead and that had no member is over, and its number is free for others. */
export function retireEmpty(tree: Tree, members: readonly ProcessRow[]): void {
  if (!tree.rootExited) return;
  const groups = new Set(members.map((row) => row.pgid));
  const sessions = new Set(members.map((row) => row.sid));
  for (const id of tree.groups.keys()) if (!groups.has(id)) tree.groups.delete(id);
  for (const id of tree.sessions.keys()) if (!sessions.has(id)) tree.sessions.delete(id);
  const alive = new Set(members.map((row) => row.pid));
  for (const pid of tree.known.keys()) if (!alive.has(pid)) tree.known.delete(pid);
}
