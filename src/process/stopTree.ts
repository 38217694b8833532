import type { Clock } from "../clock.js";
import { keepAlive } from "./keepAlive.js";
import type { Platform, ProcessRow } from "./platform/platform.js";
import type { Sweeper } from "./sweep.js";
import { forgetLearned, type Tree } from "./tree.js";

/** How long each step of a stop may take, in milliseconds. */
export interface Graces {
  readonly eofMs: number;
  readonly termMs: number;
  readonly killMs: number;
}

export interface TreeEnd {
  /** Processes that could not be ended. */
  readonly survivors: readonly number[];
  /** Shared daemons (gpg-agent, adb, …) that the tree started and that were left running. */
  readonly spared: readonly { readonly pid: number; readonly name: string }[];
  /** Something had to be killed. */
  readonly forced: boolean;
  readonly ms: number;
}

export interface StopSubject {
  readonly tree: Tree;
  /** Resolves when the direct child has exited. */
  readonly exited: Promise<unknown>;
  closeInput(): void;
}

export interface StopTools {
  readonly sweeper: Sweeper;
  readonly platform: Platform;
  readonly clock: Clock;
}

const pollMs = 25;
/** A family that hops from session to session hides from one look; four looks in a row were never fooled. */
const emptySweeps = 4;
const emptyGapMs = 15;
const killPauseMs = 5;
const killRounds = 60;
const freezeLooks = 6;

/**
 * Ends a child and everything that descends from it: closes stdin and waits, then TERM and CONT and waits, then
 * stops on sight and kills until four looks in a row find nothing. A child that is dead already skips to the
 * last step. Resolves when nothing is left or the time is used up; never rejects.
 */
export async function stopTree(subject: StopSubject, graces: Graces, tools: StopTools): Promise<TreeEnd> {
  const begun = tools.clock.now();
  const release = keepAlive();
  const { tree } = subject;
  forgetLearned(tree);
  let forced = false;
  let left: readonly ProcessRow[] = [];
  const crashed = tree.rootExited;
  // A look before anything changes: who loses its parent in what follows is known by then.
  if (!crashed) await tools.sweeper.sweep(tree, false);
  subject.closeInput();
  try {
    const polite =
      !crashed &&
      ((await emptyWithin(subject, graces.eofMs, tools)) ||
        (tools.platform.terminates && (await terminate(subject, graces.termMs, tools))));
    if (!polite) ({ forced, left } = await killLoop(tree, graces.killMs, tools));
  } finally {
    release();
  }
  const spared = [...tree.spared.values()].map(({ pid, name }) => ({ pid, name }));
  return { survivors: left.map((row) => row.pid), spared, forced, ms: tools.clock.now() - begun };
}

async function terminate(subject: StopSubject, termMs: number, tools: StopTools): Promise<boolean> {
  const hits = await tools.sweeper.sweep(subject.tree, false);
  // A stopped process gets its TERM only once it is continued.
  for (const signal of ["SIGTERM", "SIGCONT"] as const) signalAll(subject.tree, hits, signal, tools.platform);
  return emptyWithin(subject, termMs, tools);
}

/** Waits for the child first (no look is needed while it lives), then until the whole tree is gone. */
async function emptyWithin(subject: StopSubject, ms: number, tools: StopTools): Promise<boolean> {
  const deadline = tools.clock.now() + ms;
  if (!(await within(subject.exited, ms, tools.clock))) return false;
  for (let empty = 0; ; ) {
    const hits = await tools.sweeper.sweep(subject.tree, false);
    empty = hits.length === 0 ? empty + 1 : 0;
    if (empty >= emptySweeps) return true;
    if (hits.length > 0 && tools.clock.now() >= deadline) return false;
    await pause(empty > 0 ? emptyGapMs : pollMs, tools.clock);
  }
}

async function killLoop(
  tree: Tree,
  killMs: number,
  tools: StopTools,
): Promise<{ forced: boolean; left: readonly ProcessRow[] }> {
  const deadline = tools.clock.now() + killMs;
  let forced = false;
  let left: readonly ProcessRow[] = [];
  for (let round = 0, empty = 0; empty < emptySweeps; round++) {
    // Both: on a machine that is out of breath, processes that were killed need their time to go.
    if (round >= killRounds && tools.clock.now() > deadline) break;
    left = await freeze(tree, tools.sweeper);
    empty = left.length === 0 ? empty + 1 : 0;
    forced ||= left.length > 0;
    tree.cgroup?.kill();
    signalAll(tree, left, "SIGKILL", tools.platform);
    if (empty < emptySweeps) await pause(empty > 0 ? emptyGapMs : killPauseMs, tools.clock);
  }
  return { forced, left };
}

/** Looks until a look finds nobody new; whoever is seen is stopped at once. */
async function freeze(tree: Tree, sweeper: Sweeper): Promise<readonly ProcessRow[]> {
  const frozen = new Set<string>();
  let hits: readonly ProcessRow[] = [];
  for (let look = 0; look < freezeLooks; look++) {
    hits = await sweeper.sweep(tree, true);
    const before = frozen.size;
    for (const row of hits) frozen.add(`${row.pid}:${row.start}`);
    if (frozen.size === before) break;
  }
  return hits;
}

/** Signals the groups of the tree that have a member we just saw, and every member outside them. */
export function signalAll(
  tree: Tree,
  hits: readonly ProcessRow[],
  signal: "SIGTERM" | "SIGCONT" | "SIGKILL",
  platform: Platform,
): void {
  const groups = new Set(hits.map((row) => row.pgid).filter((pgid) => tree.groups.has(pgid)));
  for (const pgid of groups) platform.signalGroup(pgid, signal);
  for (const row of hits) {
    if (groups.has(row.pgid) && signal !== "SIGKILL") continue;
    const now = platform.looks ? platform.look(row.pid) : row;
    if (now?.start === row.start) platform.signal(row.pid, signal);
  }
}

/** Whether the promise resolves in time. */
async function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  let timer: unknown;
  const late = new Promise<boolean>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([promise.then(() => true), late]);
  clock.clearTimeout(timer);
  return done;
}

function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, ms));
}
