import { rmSync } from "node:fs";
import type { Clock } from "../clock.js";
import { emptyCgroups } from "./cgroup.js";
import { endContainers, runLabel } from "./containers.js";
import { readMarks } from "./marker.js";
import { type LedgerFile, readLedgers } from "./ledger.js";
import type { Identity, Platform, ProcessRow } from "./platform/platform.js";
import { stopTree, type StopTools } from "./stopTree.js";
import { createTree, type Tree } from "./tree.js";

export interface ReapReport {
  /** Ledgers of dead supervisors that were dealt with. */
  readonly runs: number;
  /** Processes that were found of them. */
  readonly found: readonly number[];
  readonly survivors: readonly number[];
  readonly ms: number;
}

const graces = { eofMs: 0, termMs: 300, killMs: 3000 };
const cgroupLooks = 50;
const cgroupPauseMs = 20;
/** A ledger of another boot or namespace may belong to somebody who is alive; after this long it is only litter. */
const litterMs = 7 * 24 * 3600 * 1000;

/**
 * Ends what supervisors left behind that died without their watchdog: children named in their ledgers, and whatever
 * carries their mark. Only ledgers of this boot and namespace count, and only if the owner (pid and start time) is
 * dead; a row whose pid has another start time or another user names nobody.
 */
export async function reapLeftovers(home: string, tools: StopTools): Promise<ReapReport> {
  const begun = tools.clock.now();
  const dead = deadLedgers(home, tools.platform, begun);
  const marked = dead.length === 0 ? new Map<string, string[]>() : await marksByRun(tools.platform);
  const ends = await Promise.all(
    dead.map((ledger) => reapRun(ledger, marked.get(ledger.owner.run) ?? [], tools)),
  );
  return {
    runs: dead.length,
    found: ends.flatMap((end) => end.found),
    survivors: ends.flatMap((end) => end.survivors),
    ms: tools.clock.now() - begun,
  };
}

/** Ledgers of this machine whose owner is certainly dead. Removes what is mere litter. */
export function deadLedgers(home: string, platform: Platform, now: number): readonly LedgerFile[] {
  const boot = platform.bootId();
  return readLedgers(home).filter((ledger) => {
    if (ledger.owner.boot === boot) return !isAlive(ledger.owner, platform);
    if (now - ledger.modifiedAt > litterMs) rmSync(ledger.path, { force: true });
    return false;
  });
}

/** All marks in this machine's environments, by the run they belong to. */
export async function marksByRun(platform: Platform): Promise<Map<string, string[]>> {
  const found = new Map<string, Set<string>>();
  await platform.scan((row) => {
    for (const mark of readMarks(platform.marker(row) ?? "")) {
      const marks = found.get(mark.run) ?? new Set();
      found.set(mark.run, marks.add(`${mark.run}.${mark.server}.${mark.generation}`));
    }
  });
  return new Map([...found].map(([run, marks]) => [run, [...marks]]));
}

async function reapRun(
  ledger: LedgerFile,
  marks: readonly string[],
  tools: StopTools,
): Promise<{ found: readonly number[]; survivors: readonly number[] }> {
  const trees = orphanTrees(ledger, marks, tools.platform);
  const found = new Set<number>();
  const ends = await Promise.all(
    trees.map(async (tree) => {
      for (const row of await tools.sweeper.sweep(tree, false)) found.add(row.pid);
      return stopTree({ tree, exited: Promise.resolve(), closeInput: () => {} }, graces, tools);
    }),
  );
  const survivors = ends.flatMap((end) => end.survivors);
  const engines = new Set(ledger.open.flatMap(({ engine }) => engine ?? []));
  const label = runLabel(ledger.owner.run);
  await Promise.all([...engines].map((program) => endContainers({ program, label, env: process.env })));
  const { cgroups } = ledger.owner;
  if (cgroups !== undefined) await emptyCgroups(cgroups, cgroupLooks, () => pause(tools.clock));
  if (survivors.length === 0) rmSync(ledger.path, { force: true });
  return { found: [...found], survivors };
}

/** One tree per child that is still itself, and one per mark whose child is gone. */
export function orphanTrees(
  ledger: LedgerFile,
  marks: readonly string[],
  platform: Platform,
): readonly Tree[] {
  const rows = new Map<string, Identity>();
  for (const child of ledger.open) {
    const row = platform.look(child.pid);
    if (row !== undefined && isSame(row, child) && platform.isOurs(row.pid)) {
      rows.set(`${ledger.owner.run}.${child.server}.${child.generation}`, child);
    }
  }
  const nobody: Identity = { pid: 0, start: "" };
  return [...new Set([...rows.keys(), ...marks])].map((mark) => {
    const root = rows.get(mark) ?? nobody;
    const tree = createTree({ root, mark, pipes: [], ownGroup: root !== nobody });
    if (root === nobody) tree.known.clear();
    return tree;
  });
}

function isAlive(owner: Identity, platform: Platform): boolean {
  const row = platform.look(owner.pid);
  return row !== undefined && isSame(row, owner);
}

function isSame(row: ProcessRow, identity: Identity): boolean {
  return row.start === identity.start && !row.zombie;
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, cgroupPauseMs));
}
