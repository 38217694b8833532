import { describe, expect, it } from "vitest";
import type { ProcessRow } from "../../src/process/platform/platform.js";
import { killNow } from "../../src/process/tree/killNow.js";
import { stopTree } from "../../src/process/tree/stopTree.js";
import { createSweeper } from "../../src/process/tree/sweep.js";
import type { TreeSeed } from "../../src/process/tree/tree.js";
import { createVigil } from "../../src/process/tree/vigil.js";
import { mark, quickClock, row, scripted, treeOf } from "./scripted.js";

const graces = { eofMs: 20, termMs: 20, killMs: 1000 };
const never = new Promise<never>(() => {});
const pidsOf = (rows: readonly ProcessRow[]): number[] =>
  rows.map(({ pid }) => pid).toSorted((a, b) => a - b);

/** Who is found of a tree whose root is 500. */
async function found(
  rows: readonly ProcessRow[],
  seed: Partial<TreeSeed> = {},
  more: { marks?: Record<number, string>; stdio?: Record<number, string[]> } = {},
): Promise<number[]> {
  const script = Object.assign(scripted(rows), more);
  return pidsOf((await script.tools.sweeper.sweep(treeOf([500], seed), false)).members);
}

describe("who belongs to a tree", () => {
  it.each<[string, ProcessRow[], number[]]>([
    ["its root", [row(500)], [500]],
    ["a stranger of the same pid", [row(500, { start: "9999" })], []],
    ["a zombie", [row(500, { zombie: true })], []],
    ["a child", [row(500), row(501, { ppid: 500 })], [500, 501]],
    [
      "a grandchild whose parent comes later in the listing",
      [row(502, { ppid: 501 }), row(501, { ppid: 500 }), row(500)],
      [500, 501, 502],
    ],
    ["a member of its group whose parent is gone", [row(501, { pgid: 500 })], [501]],
    ["a member of its session whose parent is gone", [row(501, { sid: 500 })], [501]],
    ["a stranger", [row(500), row(501)], [500]],
    [
      "a member of a group that a member leads",
      [row(500), row(501, { ppid: 500 }), row(502, { pgid: 501 })],
      [500, 501, 502],
    ],
    [
      "a member of a session that a member leads",
      [row(500), row(501, { ppid: 500 }), row(502, { sid: 501 })],
      [500, 501, 502],
    ],
  ])("%s", async (_, rows, pids) => {
    expect(await found(rows)).toEqual(pids);
  });

  it("whoever bears exactly its mark, among others or alone", async () => {
    const rows = [row(501), row(502), row(503), row(504)];
    const marks = {
      501: mark,
      502: `${"b".repeat(32)}.outer.7,${mark}`,
      503: `${mark}2`,
      504: mark.slice(0, -1),
    };

    expect(await found(rows, {}, { marks })).toEqual([501, 502]);
    const run = `${"a".repeat(32)}.`;
    expect(await found(rows, { mark: run }, { marks })).toEqual([501, 502, 503, 504]);
    expect(await found(rows, { mark: run }, { marks: { 501: `${"b".repeat(32)}.${run}demo.1` } })).toEqual(
      [],
    );
  });

  it("whoever holds one of its pipes, and nobody where it has none", async () => {
    const stdio = { 501: ["pipe:[7]"], 502: ["/dev/null", "/dev/null", "pipe:[7]"], 503: ["pipe:[8]"] };
    const rows = [row(501), row(502), row(503), row(504)];

    expect(await found(rows, { pipes: ["pipe:[7]"] }, { stdio })).toEqual([501, 502]);
    expect(await found(rows, {}, { stdio })).toEqual([]);
  });

  it("nobody who is older than it, whatever else it shows", async () => {
    const rows = [row(498, { pgid: 500 }), row(499), row(501, { pgid: 500 })];
    const marks = { 498: mark, 499: mark };

    expect(await found(rows, { since: "500" }, { marks })).toEqual([501]);
    expect(
      await found([row(500), row(501)], { since: "501", roots: [] }, { marks: { 500: mark, 501: mark } }),
    ).toEqual([501]);
  });

  it("a root whose start is not known, until its exit was noticed", async () => {
    const script = scripted([row(500, { start: "77" })]);
    const tree = treeOf([], { roots: [{ pid: 500, start: "" }], ownGroup: false });

    expect(pidsOf((await script.tools.sweeper.sweep(tree, false)).members)).toEqual([500]);
    for (const known of [tree.known, tree.groups, tree.sessions]) known.clear();
    tree.rootExited = true;
    expect((await script.tools.sweeper.sweep(tree, false)).members).toEqual([]);
  });

  it("nobody whose group is led by another process than the one we knew", async () => {
    const script = scripted([row(500), row(700, { ppid: 500 })]);
    const tree = treeOf([500]);
    await script.tools.sweeper.sweep(tree, false);
    expect([...tree.groups]).toEqual([
      [500, "500"],
      [700, "700"],
    ]);

    // Its number was given to a stranger that leads a group and a session of its own.
    script.rows = [row(500), row(700, { start: "7000" }), row(701, { start: "7001", pgid: 700, sid: 700 })];

    expect(pidsOf((await script.tools.sweeper.sweep(tree, false)).members)).toEqual([500]);
    expect([tree.groups.has(700), tree.sessions.has(700)]).toEqual([false, false]);
  });

  it("no group or session of this process, and none whose leader is a stranger", async () => {
    const self = row(process.pid, { pgid: 400, sid: 300 });
    const script = scripted([
      self,
      row(400),
      row(500),
      row(501, { ppid: 500, pgid: 400, sid: 300 }),
      row(502, { ppid: 500, pgid: 600 }),
      row(600),
      row(401, { pgid: 400 }),
    ]);
    const tree = treeOf([500]);

    expect(pidsOf((await script.tools.sweeper.sweep(tree, false)).members)).toEqual([500, 501, 502]);
    expect([...tree.groups.keys()]).toEqual([500]);
    expect(new Set(tree.sessions.keys())).toEqual(new Set([500, 502]));
  });

  it("never this process, its ancestors, or what is protected", async () => {
    const family = [
      row(process.pid, { ppid: 300, pgid: 500 }),
      row(300, { ppid: 200, pgid: 500 }),
      row(200, { pgid: 500 }),
    ];
    const script = scripted([
      ...family,
      row(1, { pgid: 500 }),
      row(501, { pgid: 500 }),
      row(502, { pgid: 500 }),
    ]);
    script.tools.sweeper.protect(502);

    expect(pidsOf((await script.tools.sweeper.sweep(treeOf([500]), false)).members)).toEqual([501]);
  });
});

describe("shared daemons", () => {
  const daemon = { name: "gpg-agent" };

  it.each<[string, ProcessRow[], number[], number[]]>([
    [
      "that have left its session and their parents are spared",
      [row(500), row(501, { ...daemon })],
      [500],
      [501],
    ],
    ["whose parent is a member are not", [row(500), row(501, { ...daemon, ppid: 500 })], [500, 501], []],
    ["in the session of its root are not", [row(500), row(501, { ...daemon, sid: 500 })], [500, 501], []],
    ["of other names are not", [row(500), row(501, { name: "gpg-agent2" })], [500, 501], []],
  ])("%s", async (_, rows, members, spared) => {
    const script = Object.assign(scripted(rows), { marks: { 501: mark } });
    const tree = treeOf([500]);

    expect(pidsOf((await script.tools.sweeper.sweep(tree, false)).members)).toEqual(members);
    expect([...tree.spared.keys()]).toEqual(spared);
  });

  it("are told at the end of a stop and get no signal", async () => {
    const script = Object.assign(scripted([row(500), row(501, daemon)]), { marks: { 501: mark } });

    const end = await stopTree(
      { tree: treeOf([500]), exited: never, closeInput: () => {} },
      graces,
      script.tools,
    );

    expect(end).toMatchObject({ survivors: [], forced: true, spared: [{ pid: 501, name: "gpg-agent" }] });
    expect(script.signals.filter((each) => each.includes("501"))).toEqual([]);
  });
});

describe("a stop", () => {
  it("signals no group that was learned from a member long ago and whose number is a stranger's by now", async () => {
    const script = scripted([row(500), row(700, { ppid: 500 })]);
    const tree = treeOf([500]);
    await script.tools.sweeper.sweep(tree, false);
    // The member is gone, and so is the stranger that got its number and led a group under it.
    script.rows = [row(500), row(7001, { pgid: 700, sid: 700 })];

    const end = await stopTree({ tree, exited: never, closeInput: () => {} }, graces, script.tools);

    expect(end).toMatchObject({ survivors: [], forced: true });
    expect(script.signals.filter((each) => /\b700/.test(each))).toEqual([]);
    expect(pidsOf(script.rows)).toEqual([7001]);
  });

  it("goes from closed stdin over TERM and CONT to the kill, and no further than it must", async () => {
    const polite = scripted([row(500), row(501, { ppid: 500 })]);
    const closed = await stopTree(
      {
        tree: treeOf([500]),
        exited: Promise.resolve(),
        closeInput: () => void (polite.rows = []),
      },
      graces,
      polite.tools,
    );
    expect([closed.forced, polite.signals]).toEqual([false, []]);

    const termed = scripted([row(500)], {
      signalGroup(pgid, name) {
        termed.signals.push(`${name} -${pgid}`);
        termed.rows = [];
        exits[0]?.();
        return true;
      },
    });
    const exits: (() => void)[] = [];
    const exited = new Promise<void>((resolve) => exits.push(resolve));
    const ended = await stopTree({ tree: treeOf([500]), exited, closeInput: () => {} }, graces, termed.tools);
    expect([ended.forced, termed.signals]).toEqual([false, ["SIGTERM -500", "SIGCONT -500"]]);

    const stubborn = scripted([row(500)]);
    const killed = await stopTree(
      { tree: treeOf([500]), exited: never, closeInput: () => {} },
      graces,
      stubborn.tools,
    );
    expect(killed).toMatchObject({ survivors: [], forced: true });
    expect([...new Set(stubborn.signals)]).toEqual([
      "SIGTERM -500",
      "SIGCONT -500",
      "SIGSTOP 500",
      "SIGSTOP -500",
      "SIGKILL -500",
    ]);
  });

  it("kills at once what is left of a child that has died, without a polite word", async () => {
    const script = scripted([row(501, { pgid: 500, ppid: 1 })]);
    const tree = treeOf([500]);
    tree.rootExited = true;

    await stopTree({ tree, exited: Promise.resolve(), closeInput: () => {} }, graces, script.tools);

    expect(script.signals.filter((each) => /TERM|CONT/.test(each))).toEqual([]);
    expect(script.rows).toEqual([]);
  });

  it("names whom it could not end, after the time that a kill is given", async () => {
    const script = scripted([row(500), row(501, { ppid: 500 })], {
      signalGroup: () => false,
      signal: () => false,
    });

    const end = await stopTree(
      { tree: treeOf([500]), exited: never, closeInput: () => {} },
      graces,
      script.tools,
    );

    expect(new Set(end.survivors)).toEqual(new Set([500, 501]));
    expect(end.ms).toBeGreaterThan(1000);
    expect(end.ms).toBeLessThan(1500);
  });

  it("signals a group as a whole only where nobody else is in it, and nobody whose pid is another's by now", async () => {
    const shared = scripted([row(500), row(501, { ppid: 500, pgid: 600 }), row(600)]);
    await stopTree({ tree: treeOf([500]), exited: never, closeInput: () => {} }, graces, shared.tools);
    expect(shared.signals).toContain("SIGKILL -500");
    expect(shared.signals).toContain("SIGKILL 501");
    expect(shared.signals.filter((each) => /600/.test(each))).toEqual([]);

    const reused = scripted([row(500), row(501, { ppid: 500, pgid: 600 }), row(600)]);
    const { look } = reused.platform;
    const tools = {
      ...reused.tools,
      platform: {
        ...reused.platform,
        look: (pid: number) => (pid === 501 ? row(501, { start: "9" }) : look(pid)),
      },
    };
    await stopTree(
      { tree: treeOf([500]), exited: never, closeInput: () => {} },
      { ...graces, killMs: 50 },
      tools,
    );
    expect(reused.signals.filter((each) => /(TERM|KILL) -?501/.test(each))).toEqual([]);
  });

  it("spares the wrapper that would take the server with it all but the kill", async () => {
    const script = scripted([row(500), row(501, { ppid: 500 })]);
    const tree = treeOf([500], { frail: 500 });

    await stopTree({ tree, exited: never, closeInput: () => {} }, graces, script.tools);

    expect(script.signals.filter((each) => /TERM|CONT/.test(each))).toEqual(["SIGTERM -501", "SIGCONT -501"]);
    expect(script.signals).toContain("SIGKILL -500");
  });
});

describe("after a look at a tree whose root has exited", () => {
  it("groups, sessions and pids without a member are forgotten, and not before", async () => {
    const script = scripted([row(500), row(501, { ppid: 500 })]);
    const tree = treeOf([500]);
    await script.tools.sweeper.sweep(tree, false);
    script.rows = [row(501, { ppid: 1 })];
    await script.tools.sweeper.sweep(tree, false);
    expect([[...tree.groups.keys()], [...tree.known.keys()]]).toEqual([
      [500, 501],
      [500, 501],
    ]);

    tree.rootExited = true;
    await script.tools.sweeper.sweep(tree, false);

    expect([[...tree.groups.keys()], [...tree.sessions.keys()], [...tree.known.keys()]]).toEqual([
      [501],
      [501],
      [501],
    ]);
    script.rows = [];
    await script.tools.sweeper.sweep(tree, false);
    expect([tree.groups.size, tree.sessions.size, tree.known.size]).toEqual([0, 0, 0]);
  });
});

describe("two trees in one look", () => {
  it("have their own members each, and no group of both is signalled as a whole", () => {
    const script = scripted([row(500), row(600), row(601, { ppid: 600, pgid: 500 })]);
    const [one, two] = [treeOf([500]), treeOf([600], { mark: `${mark}0` })];

    const seen = createSweeper(script.platform).sweepNow([one, two], false);

    expect([pidsOf(seen.get(one)!.members), pidsOf(seen.get(two)!.members)]).toEqual([[500], [600, 601]]);
    expect([...seen.get(one)!.groups, ...seen.get(two)!.groups]).toEqual([600]);
    expect(script.signals).toEqual([]);
  });

  it("are killed together, until two looks have shown nobody new", () => {
    const script = scripted([row(500), row(600), row(601, { ppid: 600 }), row(999)]);

    killNow([treeOf([500]), treeOf([600], { mark: `${mark}0` })], script.tools);

    expect(pidsOf(script.rows)).toEqual([999]);
    killNow([], script.tools);
    expect(script.signals.filter((each) => each.includes("999"))).toEqual([]);
  });

  it("share one scan of the same turn, and a later look is a scan of its own", async () => {
    let scans = 0;
    const script = scripted([row(500), row(600)]);
    const platform = {
      ...script.platform,
      scan: (visit: (each: ProcessRow) => void): void => {
        scans++;
        script.rows.forEach((each) => visit(each));
      },
    };
    const sweeper = createSweeper(platform);
    const tree = treeOf([500]);

    const [first, second] = await Promise.all([sweeper.sweep(tree, false), sweeper.sweep(tree, true)]);
    expect([scans, first === second, script.signals]).toEqual([1, true, ["SIGSTOP 500", "SIGSTOP -500"]]);
    await sweeper.sweep(tree, false);
    expect([scans, script.signals.length]).toEqual([2, 2]);
  });
});

const watch = (patient = false) => {
  let now = 0;
  const vigil = createVigil({ ...quickClock(), now: () => now }, patient);
  return { vigil, pass: (ms: number) => void (now += ms) };
};

describe("the vigil", () => {
  it("calls a tree gone after four empty looks in a row, and begins anew with each that is not", () => {
    const { vigil } = watch();
    const looks = [[], [], [], [row(5)], [], [], [], []].map((rows) => vigil.note(rows));

    expect(looks).toEqual([false, false, false, false, false, false, false, true]);
    expect(vigil.seen()).toBe(1);
  });

  it.each([
    [1999, false],
    [2000, true],
  ])("that is patient, or has seen a member change its group, wants %i ms of nothing: %s", (ms, isGone) => {
    const patient = watch(true);
    const hopping = watch();
    expect([[row(5)], [row(5, { pgid: 6 })]].map((rows) => hopping.vigil.note(rows))).toEqual([false, false]);
    for (const { vigil, pass } of [patient, hopping]) {
      expect([[], [], [], []].map((rows) => vigil.note(rows))).toEqual([false, false, false, false]);
      pass(ms);
      expect(vigil.note([])).toBe(isGone);
    }
  });

  it("counts each process once, whose pid and start are the same, and waits a little longer each time", () => {
    const { vigil } = watch();
    vigil.note([row(5), row(6)]);
    vigil.note([row(5), row(6, { start: "other" })]);
    expect(vigil.seen()).toBe(3);

    const gaps = Array.from({ length: 14 }, () => (vigil.note([]), vigil.gapMs()));
    expect(gaps).toEqual([15, 15, 15, 15, 20, 25, 30, 35, 40, 45, 50, 50, 50, 50]);
  });
});
