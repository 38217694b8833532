import type { Clock } from "../../clock.js";
import { keepAlive } from "../keepAlive.js";
import type { Platform } from "../platform/platform.js";
import { nothing, type Sight, signalSight } from "./sight.js";
import type { Sweeper } from "./sweep.js";
import { forgetLearned, type Tree } from "./tree.js";
import { createVigil, type Vigil } from "./vigil.js";

/** How long each step of a stop may take, in milliseconds. */
export interface Graces {
  readonly eofMs: number;
  readonly termMs: number;
  /** … after the last newcomer was seen; a minute in all. */
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
  /** Nobody waits: two seconds of nothing before it is called gone, whatever the looks have shown. */
  readonly patient?: boolean;
}

export interface StopTools {
  readonly sweeper: Sweeper;
  readonly platform: Platform;
  readonly clock: Clock;
}

const pollMs = 25;
/** A killed process needs a moment to go; newcomers get none. */
const dyingMs = 5;
/** A family that still grows after so long is told as a survivor. */
const longestMs = 60_000;
const freezeMs = 1000;

/**
 * Ends a child and everything that descends from it: closes stdin and waits, then TERM and CONT and waits, then
 * stops on sight and kills until it is gone (`createVigil`). A child that is dead already skips to the
 * last step. Resolves when nothing is left or the time is used up; never rejects.
 */
export async function stopTree(subject: StopSubject, graces: Graces, tools: StopTools): Promise<TreeEnd> {
  const begun = tools.clock.now();
  const release = keepAlive();
  const { tree } = subject;
  forgetLearned(tree);
  const vigil = createVigil(tools.clock, subject.patient ?? false);
  let forced = false;
  let left = nothing;
  const crashed = tree.rootExited;
  // A look before anything changes: who loses its parent in what follows is known by then.
  if (!crashed) vigil.note((await tools.sweeper.sweep(tree, false)).members);
  subject.closeInput();
  try {
    const polite =
      !crashed &&
      ((await emptyWithin(subject, graces.eofMs, vigil, tools)) ||
        (tools.platform.terminates && (await terminate(subject, graces.termMs, vigil, tools))));
    if (!polite) ({ forced, left } = await killLoop(tree, graces.killMs, vigil, tools));
  } finally {
    release();
  }
  const spared = [...tree.spared.values()].map(({ pid, name }) => ({ pid, name }));
  return { survivors: left.members.map((row) => row.pid), spared, forced, ms: tools.clock.now() - begun };
}

async function terminate(
  subject: StopSubject,
  termMs: number,
  vigil: Vigil,
  tools: StopTools,
): Promise<boolean> {
  const { tree } = subject;
  const sight = await tools.sweeper.sweep(tree, false);
  // A stopped process gets its TERM only once it is continued.
  for (const signal of ["SIGTERM", "SIGCONT"] as const) signalSight(tree, sight, signal, tools.platform);
  return emptyWithin(subject, termMs, vigil, tools);
}

/** Waits for the child first (no look is needed while it lives), then until the whole tree is gone. */
async function emptyWithin(
  subject: StopSubject,
  ms: number,
  vigil: Vigil,
  { clock, sweeper }: StopTools,
): Promise<boolean> {
  const deadline = clock.now() + ms;
  if (!(await within(subject.exited, ms, clock))) return false;
  for (;;) {
    const { members } = await sweeper.sweep(subject.tree, false);
    if (vigil.note(members)) return true;
    if (members.length > 0 && clock.now() >= deadline) return false;
    await pause(members.length > 0 ? pollMs : vigil.gapMs(), clock);
  }
}

async function killLoop(
  tree: Tree,
  killMs: number,
  vigil: Vigil,
  tools: StopTools,
): Promise<{ forced: boolean; left: Sight }> {
  const { clock, platform } = tools;
  const longest = clock.now() + Math.max(killMs, longestMs);
  let deadline = clock.now() + killMs;
  for (let forced = false, known = vigil.seen(); ; ) {
    tree.cgroup?.freeze();
    const sight = await freeze(tree, vigil, tools);
    if (sight === undefined) return { forced, left: nothing };
    tree.cgroup?.kill(tree.spared.keys());
    signalSight(tree, sight, "SIGKILL", platform);
    forced ||= sight.members.length > 0;
    const grew = vigil.seen() > known;
    known = vigil.seen();
    if (grew) deadline = Math.min(longest, clock.now() + killMs);
    if (sight.members.length > 0 && clock.now() > deadline) return { forced, left: sight };
    if (sight.members.length === 0) await pause(vigil.gapMs(), clock);
    else if (!grew) await pause(dyingMs, clock);
  }
}

/** Looks until a look finds nobody new; whoever is seen is stopped at once. Undefined when the tree is gone. */
async function freeze(tree: Tree, vigil: Vigil, { clock, sweeper }: StopTools): Promise<Sight | undefined> {
  const begun = clock.now();
  for (const frozen = new Set<string>(); ; ) {
    const sight = await sweeper.sweep(tree, true);
    const before = frozen.size;
    for (const row of sight.members) frozen.add(`${row.pid}:${row.start}`);
    if (vigil.note(sight.members)) return undefined;
    if (frozen.size === before || clock.now() - begun > freezeMs) return sight;
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
