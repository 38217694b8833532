import type { Clock } from "../../src/clock.js";
import type { Platform, ProcessRow } from "../../src/process/platform/platform.js";
import { createSweeper } from "../../src/process/tree/sweep.js";
import type { StopTools } from "../../src/process/tree/stopTree.js";
import { createTree, type Tree, type TreeSeed } from "../../src/process/tree/tree.js";

export const mark = `${"a".repeat(32)}.demo.1`;

/** A row of the listing; group and session are its own unless told otherwise. */
export function row(pid: number, more: Partial<ProcessRow> = {}): ProcessRow {
  return { pid, start: String(pid), ppid: 1, pgid: pid, sid: pid, name: "node", zombie: false, ...more };
}

export interface Script {
  /** Who is there now; replaced as the script goes on. */
  rows: ProcessRow[];
  /** Marks and stdio by pid. */
  marks: Record<number, string>;
  stdio: Record<number, string[]>;
  /** What was signalled, such as `SIGKILL 5` or `SIGTERM -5`. */
  readonly signals: string[];
  readonly platform: Platform;
  readonly tools: StopTools;
}

/** A machine that exists on paper only: its processes are rows, its signals a list, and its time goes when asked. */
export function scripted(rows: readonly ProcessRow[], given: Partial<Platform> = {}): Script {
  const script = { rows: [...rows], marks: {}, stdio: {}, signals: [] as string[] } as unknown as {
    -readonly [key in keyof Script]: Script[key];
  };
  const of = (pid: number): ProcessRow | undefined => script.rows.find((each) => each.pid === pid);
  const scan = (visit: (each: ProcessRow) => void): void => script.rows.forEach((each) => visit(each));
  /** Whoever is killed is gone with the next look. */
  const signal = (signalled: string, hit: (each: ProcessRow) => boolean, isKill: boolean): boolean => {
    script.signals.push(signalled);
    const before = script.rows.length;
    if (isKill) script.rows = script.rows.filter((each) => !hit(each));
    return before !== script.rows.length;
  };
  script.platform = {
    name: "linux",
    looks: true,
    terminates: true,
    scan,
    scanNow: scan,
    look: of,
    exitOf: () => undefined,
    startedBefore: (start, other) => start !== "" && other !== "" && Number(start) < Number(other),
    marker: ({ pid }) => script.marks[pid],
    stdio: (pid) => script.stdio[pid] ?? [],
    containerProcesses: () => ({ inside: [], keepers: [] }),
    signal: (pid, name) => signal(`${name} ${pid}`, (each) => each.pid === pid, name === "SIGKILL"),
    signalGroup: (pgid, name) => signal(`${name} -${pgid}`, (each) => each.pgid === pgid, name === "SIGKILL"),
    isOurs: () => true,
    bootId: () => "paper",
    ...given,
  };
  script.tools = { platform: script.platform, sweeper: createSweeper(script.platform), clock: quickClock() };
  return script;
}

/** A clock that goes on to its next timer whenever nothing else is to be done. */
export function quickClock(): Clock {
  let now = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const step = (): void => {
    const [next] = [...timers].toSorted((a, b) => a.at - b.at);
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.callback();
  };
  return {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      // Two turns: what a timer has set off is looked at before the next one.
      setImmediate(() => setImmediate(step));
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as never),
  };
}

export function treeOf(pids: readonly number[], more: Partial<TreeSeed> = {}): Tree {
  const roots = pids.map((pid) => ({ pid, start: String(pid) }));
  return createTree({ roots, mark, since: "", pipes: [], ownGroup: true, ...more });
}
