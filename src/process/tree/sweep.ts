import type { Platform, ProcessRow } from "../platform/platform.js";
import { nothing, type Sight, wholeGroups } from "./sight.js";
import { belongs, type Evidence, isLed, isSpared, learn, retireEmpty, type Tree } from "./tree.js";
import { isSharedDaemon } from "./spare.js";

export interface Sweeper {
  /**
   * Looks through all processes for members of the tree, not before now. With `freeze` each is stopped on sight, and
   * its whole group at the end, so that a family that forks faster than we look comes to rest. Calls of one turn share
   * one look.
   */
  sweep(tree: Tree, freeze: boolean): Promise<Sight>;
  /** The same for many trees without waiting. */
  sweepNow(trees: readonly Tree[], freeze: boolean): ReadonlyMap<Tree, Sight>;
  /** A process that must never be counted in (the watchdog). */
  protect(pid: number): void;
}

interface Wish {
  freeze: boolean;
  readonly waiting: ((sight: Sight) => void)[];
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
    await platform.scan(pass.visit, pass.more);
    const seen = pass.close();
    for (const [tree, wish] of due) for (const tell of wish.waiting) tell(seen.get(tree) ?? nothing);
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
      platform.scanNow(pass.visit, pass.more);
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
  platform.scanNow(
    (row) => void rows.set(row.pid, row),
    () => false,
  );
  return (pid) => rows.get(pid);
}

/** One look at all processes: `visit` each row, some of them twice, then `close` adds who is led or descends. */
function createPass(
  trees: readonly Tree[],
  freezing: ReadonlySet<Tree>,
  ours: OwnFamily,
  platform: Platform,
) {
  const rest = new Map<number, ProcessRow>();
  const owner = new Map<number, Tree>();
  const members = new Map<Tree, ProcessRow[]>(trees.map((tree) => [tree, []]));
  let followed = -1;
  const cgroups = new Map(trees.map((tree) => [tree, new Set(tree.cgroup?.members())]));

  const find = (row: ProcessRow): Tree | undefined => {
    const evidence = createEvidence(row, cgroups, platform);
    return trees.find((tree) => belongs(tree, row, evidence, platform));
  };
  const take = (tree: Tree, row: ProcessRow): void => {
    rest.delete(row.pid);
    owner.set(row.pid, tree);
    members.get(tree)?.push(row);
    tree.known.set(row.pid, row.start);
    if (freezing.has(tree)) platform.signal(row.pid, "SIGSTOP");
  };
  const visit = (row: ProcessRow): void => {
    if (row.zombie || row.pid <= 1 || ours.pids.has(row.pid) || owner.has(row.pid)) return;
    const tree = isSharedDaemon(row.name) ? undefined : (owner.get(row.ppid) ?? find(row));
    if (tree === undefined) rest.set(row.pid, row);
    else take(tree, row);
  };
  /** Each member may lead a group or have children; each of those is one more. */
  const grow = (): void => {
    for (let from = -1; from !== owner.size; ) {
      from = owner.size;
      for (const [tree, rows] of members) for (const row of rows) learn(tree, row, ours.leaders, platform);
      for (const row of rest.values()) {
        const tree = owner.get(row.ppid) ?? (isSharedDaemon(row.name) ? undefined : leaderOf(row));
        if (tree !== undefined) take(tree, row);
      }
    }
  };
  const leaderOf = (row: ProcessRow): Tree | undefined =>
    trees.find((tree) => !platform.startedBefore(row.start, tree.since) && isLed(tree, row, platform));
  const judgeDaemons = (): void => {
    const parents = new Set(owner.keys());
    for (const row of [...rest.values()].filter((each) => isSharedDaemon(each.name))) {
      const tree = find(row);
      if (tree === undefined) continue;
      if (isSpared(tree, row, parents)) tree.spared.set(row.pid, row);
      else take(tree, row);
    }
  };
  const sightOf = (tree: Tree, rows: readonly ProcessRow[], innocents: ReadonlySet<number>): Sight => {
    const others = [...members].filter(([other]) => other !== tree).flatMap(([, each]) => each);
    const foreign = new Set(others.map(({ pgid }) => pgid));
    return { members: rows, groups: wholeGroups(rows, (id) => innocents.has(id) || foreign.has(id)) };
  };

  return {
    visit,
    /** Who is to be frozen is followed as long as it grows; of the others it matters whether there is anybody. */
    more: (): boolean => {
      const grew = owner.size > followed && freezing.size > 0;
      const isFirst = followed < 0;
      followed = owner.size;
      return grew || (isFirst && [...members.values()].some((rows) => rows.length === 0));
    },
    close: (): ReadonlyMap<Tree, Sight> => {
      grow();
      judgeDaemons();
      const innocents = new Set([...ours.leaders, ...[...rest.values()].map(({ pgid }) => pgid)]);
      const seen = new Map([...members].map(([tree, rows]) => [tree, sightOf(tree, rows, innocents)]));
      for (const [tree, { members: rows, groups }] of seen) {
        if (freezing.has(tree)) for (const pgid of groups) platform.signalGroup(pgid, "SIGSTOP");
        retireEmpty(tree, rows);
      }
      return seen;
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
