import type { Platform, ProcessRow } from "./platform/platform.js";
import { belongs, type Evidence, isSpared, learn, retireEmpty, type Tree } from "./tree.js";
import { isSharedDaemon } from "./spare.js";

/** Live members of each tree that was asked for, newest first. */
export type Hits = ReadonlyMap<Tree, readonly ProcessRow[]>;

export interface Sweeper {
  /**
   * Looks through all processes for members of the tree, not before now. With `freeze` each is stopped on sight, so
   * that a family that forks faster than we look comes to rest. Calls of one turn share one look.
   */
  sweep(tree: Tree, freeze: boolean): Promise<readonly ProcessRow[]>;
  /** The same for many trees without waiting. */
  sweepNow(trees: readonly Tree[], freeze: boolean): Hits;
  /** A process that must never be counted in (the watchdog). */
  protect(pid: number): void;
}

interface Wish {
  freeze: boolean;
  readonly waiting: ((hits: readonly ProcessRow[]) => void)[];
}

/** Sweeps over one platform. Never signals pid <= 1, this process, its ancestors or what is protected. */
export function createSweeper(platform: Platform): Sweeper {
  const ours = ownFamily(platform);
  let wishes = new Map<Tree, Wish>();

  const begin = async (): Promise<void> => {
    const due = wishes;
    wishes = new Map();
    const freezing = new Set([...due].filter(([, wish]) => wish.freeze).map(([tree]) => tree));
    const pass = createPass([...due.keys()], freezing, ours, platform);
    await platform.scan(pass.visit);
    const hits = pass.close();
    for (const [tree, wish] of due) for (const tell of wish.waiting) tell(hits.get(tree) ?? []);
  };

  return {
    sweep(tree, freeze) {
      if (wishes.size === 0) setImmediate(() => void begin());
      const wish = wishes.get(tree) ?? { freeze: false, waiting: [] };
      wish.freeze ||= freeze;
      wishes.set(tree, wish);
      return new Promise((resolve) => wish.waiting.push(resolve));
    },
    sweepNow(trees, freeze) {
      const pass = createPass(trees, new Set(freeze ? trees : []), ours, platform);
      platform.scanNow(pass.visit);
      return pass.close();
    },
    protect: (pid) => void ours.pids.add(pid),
  };
}

interface OwnFamily {
  readonly pids: Set<number>;
  /** Groups and sessions of this process and its ancestors. */
  readonly leaders: Set<number>;
}

function ownFamily(platform: Platform): OwnFamily {
  const family: OwnFamily = { pids: new Set([0, 1, process.pid]), leaders: new Set([0, 1]) };
  const look = platform.looks ? platform.look : lookup(platform);
  for (let row = look(process.pid); row !== undefined; row = look(row.ppid)) {
    family.pids.add(row.pid);
    family.leaders.add(row.pgid).add(row.sid);
    if (family.pids.has(row.ppid) || row.ppid <= 1) break;
  }
  return family;
}

function lookup(platform: Platform): (pid: number) => ProcessRow | undefined {
  const rows = new Map<number, ProcessRow>();
  platform.scanNow((row) => void rows.set(row.pid, row));
  return (pid) => rows.get(pid);
}

/** One look at all processes: `visit` each row, then `close` adds descendants and gives the hits. */
function createPass(
  trees: readonly Tree[],
  freezing: ReadonlySet<Tree>,
  ours: OwnFamily,
  platform: Platform,
) {
  const rest = new Map<number, ProcessRow>();
  const owner = new Map<number, Tree>();
  const hits = new Map<Tree, ProcessRow[]>(trees.map((tree) => [tree, []]));

  const cgroups = new Map(trees.map((tree) => [tree, new Set(tree.cgroup?.members())]));

  const find = (row: ProcessRow): Tree | undefined => {
    const evidence = createEvidence(row, cgroups, platform);
    return trees.find((tree) => belongs(tree, row, evidence, platform));
  };
  const take = (tree: Tree, row: ProcessRow): void => {
    rest.delete(row.pid);
    owner.set(row.pid, tree);
    hits.get(tree)?.push(row);
    learn(tree, row, ours.leaders, platform);
    if (freezing.has(tree)) platform.signal(row.pid, "SIGSTOP");
  };
  const visit = (row: ProcessRow): void => {
    if (row.zombie || row.pid <= 1 || ours.pids.has(row.pid)) return;
    const tree = isSharedDaemon(row.name) ? undefined : find(row);
    if (tree === undefined) rest.set(row.pid, row);
    else take(tree, row);
  };
  const addDescendants = (): void => {
    for (let grew = true; grew; ) {
      grew = false;
      for (const row of rest.values()) {
        const tree = owner.get(row.ppid);
        if (tree === undefined) continue;
        take(tree, row);
        grew = true;
      }
    }
  };
  const judgeDaemons = (): void => {
    const parents = new Set(owner.keys());
    for (const row of [...rest.values()].filter((each) => isSharedDaemon(each.name))) {
      const tree = find(row);
      if (tree === undefined) continue;
      if (isSpared(tree, row, parents)) tree.spared.set(row.pid, row);
      else take(tree, row);
    }
  };

  return {
    visit,
    close(): Hits {
      addDescendants();
      judgeDaemons();
      for (const [tree, rows] of hits) retireEmpty(tree, rows);
      return hits;
    },
  };
}

/** Environment and stdio of a row are read at most once, and only when somebody asks. */
function createEvidence(
  row: ProcessRow,
  cgroups: ReadonlyMap<Tree, ReadonlySet<number>>,
  platform: Platform,
): Evidence {
  let marks: readonly string[] | undefined;
  let stdio: readonly string[] | undefined;
  return {
    cgroup: (tree) => cgroups.get(tree) ?? new Set(),
    marks: () => (marks ??= platform.marker(row)?.split(",") ?? []),
    stdio: () => (stdio ??= platform.stdio(row.pid)),
  };
}
