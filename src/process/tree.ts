import type { Cgroup } from "./cgroup.js";
import type { Identity, Platform, ProcessRow } from "./platform/platform.js";
import { isSharedDaemon } from "./spare.js";

/** Everything that descends from one child, and by what it is recognised. */
export interface Tree {
  readonly root: Identity;
  /** Our mark of this life, as `markText` writes it. */
  readonly mark: string;
  /** Names of the pipes we made for this child; nothing else is compared, for a shared stderr proves nothing. */
  readonly pipes: readonly string[];
  /** Start time by pid of every process that was found to belong here. */
  readonly known: Map<number, string>;
  /** Groups and sessions of members; the leader's start time where it is known. */
  readonly groups: Map<number, string | undefined>;
  readonly sessions: Map<number, string | undefined>;
  /** Shared daemons that were recognised and left alone. */
  readonly spared: Map<number, ProcessRow>;
  /** Its control group, where containment made one: membership is proof. */
  readonly cgroup?: Cgroup;
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
  readonly root: Identity;
  readonly mark: string;
  readonly pipes: readonly string[];
  /** The root leads its own group and session. */
  readonly ownGroup: boolean;
  readonly cgroup?: Cgroup | undefined;
}

/** A tree that so far is its root. */
export function createTree({ root, mark, pipes, ownGroup, cgroup }: TreeSeed): Tree {
  return {
    root,
    mark,
    pipes,
    known: new Map([[root.pid, root.start]]),
    groups: new Map(ownGroup ? [[root.pid, root.start]] : []),
    sessions: new Map(ownGroup ? [[root.pid, root.start]] : []),
    spared: new Map(),
    rootExited: false,
    ...(cgroup === undefined ? {} : { cgroup }),
  };
}

/** Whether a live process belongs to the tree by itself; descent is looked at when the scan is complete. */
export function belongs(tree: Tree, row: ProcessRow, evidence: Evidence, platform: Platform): boolean {
  // Nobody is older than the one it descends from: most of a machine is told apart without a further look.
  if (platform.startedBefore(row.start, tree.root.start)) return false;
  if (tree.known.get(row.pid) === row.start || isUnseenRoot(tree, row)) return true;
  if (isLedBy(tree.groups, row.pgid, platform) || isLedBy(tree.sessions, row.sid, platform)) return true;
  if (evidence.cgroup(tree).has(row.pid)) return true;
  if (evidence.marks().includes(tree.mark)) return true;
  return tree.pipes.length > 0 && evidence.stdio().some((name) => tree.pipes.includes(name));
}

/** A root whose start time was too costly to ask for: its pid stays its own until we have noticed its exit. */
function isUnseenRoot({ root, rootExited }: Tree, row: ProcessRow): boolean {
  return root.start === "" && root.pid === row.pid && !rootExited;
}

/** A number counts only while its leader is the one we knew, or is gone (then the kernel keeps it reserved). */
function isLedBy(leaders: Map<number, string | undefined>, id: number, platform: Platform): boolean {
  if (id <= 1 || !leaders.has(id)) return false;
  const start = leaders.get(id);
  const leader = platform.looks ? platform.look(id) : undefined;
  if (leader === undefined || start === undefined || leader.start === start) return true;
  leaders.delete(id);
  return false;
}

/** Takes a member in, with its group and session, unless those are our own. */
export function learn(tree: Tree, row: ProcessRow, own: ReadonlySet<number>, platform: Platform): void {
  tree.known.set(row.pid, row.start);
  for (const [leaders, id] of [
    [tree.groups, row.pgid],
    [tree.sessions, row.sid],
  ] as const) {
    if (id <= 1 || own.has(id) || leaders.has(id)) continue;
    leaders.set(id, platform.looks ? platform.look(id)?.start : undefined);
  }
}

/** A shared daemon is left alone once it has left our session and no member of the tree is its parent. */
export function isSpared(tree: Tree, row: ProcessRow, parents: ReadonlySet<number>): boolean {
  return isSharedDaemon(row.name) && row.sid !== tree.root.pid && !parents.has(row.ppid);
}

/**
 * Forgets groups and sessions that were learned from members: hours may have passed, and their numbers may be
 * somebody else's. They are learned again from the members that are still there.
 */
export function forgetLearned(tree: Tree): void {
  for (const leaders of [tree.groups, tree.sessions]) {
    for (const id of leaders.keys()) if (id !== tree.root.pid) leaders.delete(id);
  }
}

/** After a sweep: a group whose leader is dead and that had no member is over, and its number is free for others. */
export function retireEmpty(tree: Tree, hits: readonly ProcessRow[]): void {
  if (!tree.rootExited) return;
  const groups = new Set(hits.map((row) => row.pgid));
  const sessions = new Set(hits.map((row) => row.sid));
  for (const id of tree.groups.keys()) if (!groups.has(id)) tree.groups.delete(id);
  for (const id of tree.sessions.keys()) if (!sessions.has(id)) tree.sessions.delete(id);
  const alive = new Set(hits.map((row) => row.pid));
  for (const pid of tree.known.keys()) if (!alive.has(pid)) tree.known.delete(pid);
}
