import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { doctorFacts } from "../../src/process/doctor.js";
import { openLedger, readLedgers } from "../../src/process/guard/ledger.js";
import { createLinux } from "../../src/process/platform/linux.js";
import { figure, full } from "../faults/figures.js";
import {
  endFamily,
  left,
  isAlive,
  living,
  newToken,
  shapes,
  tempHome,
  testProcesses,
  until,
  withToken,
} from "./support.js";

const linux = createLinux();
const deadOwner = { pid: 999_999, start: "1", boot: linux.bootId() };
// Its own: whatever else runs on this machine, another run of this file included, is none of it.
const run = randomBytes(16).toString("hex");

function ledgerPath(home: string, name = run): string {
  mkdirSync(join(home, "processes"), { recursive: true, mode: 0o700 });
  return join(home, "processes", `${name}.ledger`);
}

/** Writes a ledger by hand, as a forger or a crashed run would leave it. */
function writeLedger(home: string, owner: object, rows: readonly object[], mode = 0o600): string {
  const path = ledgerPath(home);
  writeFileSync(
    path,
    [{ v: 1, owner: { run, ...owner } }, ...rows].map((row) => JSON.stringify(row)).join("\n"),
  );
  chmodSync(path, mode);
  return path;
}

/** Innocent processes in groups of their own; they end with this process at the latest, for their stdin does. */
async function innocents(count: number, env: Record<string, string> = {}): Promise<ChildProcess[]> {
  const children = Array.from({ length: count }, () =>
    spawn("cat", [], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: process.env["PATH"] ?? "", ...env },
    }),
  );
  onTestFinished(() => children.forEach((child) => void child.kill("SIGKILL")));
  await Promise.all(children.map((child) => new Promise((ready) => child.once("spawn", ready))));
  return children;
}

function pidOf(child: ChildProcess): number {
  return child.pid ?? 0;
}

function startOf(pid: number): string {
  return linux.look(pid)?.start ?? "";
}

describe("the ledger", () => {
  it("is a file that only we can read, and is gone when everything in it is", async () => {
    const home = tempHome();
    const ledger = openLedger(home, { run, ...deadOwner });
    const child = { pid: 4711, start: "12", server: "a", generation: 1 };

    const written = [ledger.add(child), ledger.add({ ...child, pid: 4712 })];
    ledger.gone(child);

    expect(readLedgers(home)).toMatchObject([
      { owner: { run, pid: 999_999 }, open: [{ pid: 4712, server: "a", generation: 1 }] },
    ]);
    expect(await Promise.all(written)).toEqual([true, true]);
    ledger.gone({ pid: 4712, start: "12" });
    await ledger.close();
    expect(readdirSync(join(home, "processes"))).toEqual([]);
  });

  it("with half a row at its end is read up to there", () => {
    const home = tempHome();
    const path = writeLedger(home, deadOwner, [{ add: { pid: 5, start: "1", server: "a", generation: 1 } }]);
    writeFileSync(path, '\n{"add":{"pid":6,"start', { flag: "a" });

    expect(readLedgers(home)).toMatchObject([{ open: [{ pid: 5 }] }]);
  });

  it.each([
    ["/sys/fs/cgroup/user.slice", false],
    [`/sys/fs/cgroup/mcpvisor-${"f".repeat(32)}`, false],
    [`/sys/fs/cgroup/mcpvisor-${run}/child`, false],
    [`/sys/fs/cgroup/not-mcpvisor-${run}`, false],
    [7, false],
    [`/sys/fs/cgroup/mcpvisor-${run}`, true],
  ])("that names %s as its folder of control groups is believed: %s", (cgroups, isBelieved) => {
    const home = tempHome();
    writeLedger(home, { ...deadOwner, cgroups }, []);

    // Everybody below that folder would be killed.
    expect(readLedgers(home).map(({ owner }) => owner.cgroups)).toEqual([isBelieved ? cgroups : undefined]);
  });

  it("keeps a child whose pid was noted as gone under another start time", () => {
    const home = tempHome();
    writeLedger(home, deadOwner, [
      { add: { pid: 5, start: "1", server: "a", generation: 1 } },
      { gone: { pid: 5, start: "2" } },
      { add: { pid: 6, start: "1", server: "a", generation: 1 } },
      { gone: { pid: 6, start: "1" } },
    ]);

    expect(readLedgers(home)).toMatchObject([{ open: [{ pid: 5 }] }]);
    const ledger = openLedger(tempHome(), { ...deadOwner, run: "c".repeat(32) });
    void ledger.add({ pid: 5, start: "1", server: "a", generation: 1 });
    ledger.gone({ pid: 5, start: "2" });
    return ledger.close().then(() => expect(existsSync(ledger.path)).toBe(true));
  });

  it.each([
    [{ pid: 1, start: "1" }, 0],
    [{ pid: 2, start: "1" }, 1],
    [{ pid: 2, start: "" }, 0],
    [{ pid: 2.5, start: "1" }, 0],
    [{ pid: "2", start: "1" }, 0],
    [{ pid: 2, start: "1", server: 3 }, 0],
    [{ pid: 2, start: "1", generation: "1" }, 0],
  ])("takes %j for so many children: %i", (child, children) => {
    const home = tempHome();
    writeLedger(home, deadOwner, [{ add: { server: "a", generation: 1, ...child } }]);

    expect(readLedgers(home).flatMap(({ open }) => open)).toHaveLength(children);
  });

  it.each([
    ["is writable by others", (home: string) => void writeLedger(home, deadOwner, [], 0o662)],
    ["is a link", (home: string) => symlinkSync("/etc/passwd", ledgerPath(home))],
    ["is no ledger", (home: string) => writeFileSync(ledgerPath(home), "\0\n{}\n", { mode: 0o600 })],
    [
      "names another run",
      (home: string) => void writeLedger(home, { ...deadOwner, run: "f".repeat(32) }, []),
    ],
  ])("that %s counts for nothing", (_, make) => {
    const home = tempHome();

    make(home);

    expect(readLedgers(home)).toEqual([]);
  });
});

describe("the reaper", () => {
  it("harms no innocent, whatever forged or outdated rows name it", async () => {
    const half = full ? 500 : 50;
    const children = await innocents(half * 2);
    const rows = children.map((child, index) => {
      const pid = pidOf(child);
      // Half of them with a wrong start time, as after a reuse of the pid.
      return { add: { pid, start: index < half ? "1" : startOf(pid), server: "x", generation: 1 } };
    });
    const home = tempHome();
    writeLedger(home, deadOwner, [
      ...rows.slice(0, half),
      { add: { pid: 1, start: startOf(1), server: "x", generation: 1 } },
      { add: { pid: 0, start: "0", server: "x", generation: 1 } },
      { add: { pid: -1, start: "0", server: "x", generation: 1 } },
      { add: { pid: process.pid, start: startOf(process.pid), server: "x", generation: 1 } },
      { add: { pid: process.ppid, start: startOf(process.ppid), server: "x", generation: 1 } },
    ]);
    const alive = tempHome();
    writeLedger(alive, { ...deadOwner, pid: process.pid, start: startOf(process.pid) }, rows.slice(half));
    const elsewhere = tempHome();
    writeLedger(elsewhere, { ...deadOwner, boot: "another" }, rows.slice(half));

    const reports = await Promise.all(
      [home, alive, elsewhere].map((each) => testProcesses({ home: each }).start()),
    );

    expect(reports.flatMap((report) => report.found)).toEqual([]);
    expect(reports.map((report) => report.runs)).toEqual([1, 0, 0]);
    expect(children.filter((child) => child.exitCode !== null || child.signalCode !== null)).toEqual([]);
    expect(living(children.map(pidOf))).toHaveLength(half * 2);
    figure(`innocents that ledgers named (${half * 2}): killed`, 0);
    expect([home, alive, elsewhere].map((each) => readLedgers(each).length)).toEqual([0, 1, 1]);
  }, 300_000);

  it("ends what a ledger names rightly, and what carries the mark of its run", async () => {
    const token = newToken();
    onTestFinished(() => endFamily(token));
    const mark = { MCPVISOR_RUN: `${"e".repeat(32)}.outer.1,${run}.b.7` };
    const [named, other] = await innocents(2);
    const [marked] = await innocents(1, mark);
    const forking = spawn("sh", [shapes, "J", token], {
      detached: true,
      stdio: "ignore",
      env: { PATH: process.env["PATH"] ?? "", ...mark },
    });
    onTestFinished(() => void forking.kill("SIGKILL"));
    // They hop from pid to pid: one look may miss those that the next one sees.
    const seen = new Set<number>();
    await until(
      "the runners run",
      () => withToken(token).every((pid) => seen.add(pid)) && seen.size > 1,
      30_000,
    );
    const home = tempHome();
    const pid = pidOf(named!);
    const path = writeLedger(home, deadOwner, [
      { add: { pid, start: startOf(pid), server: "a", generation: 1 } },
    ]);

    const facts = await doctorFacts(home);
    const report = await testProcesses({ home }).start();

    expect(facts.ledgers).toMatchObject([{ path, owner: "dead", children: [{ server: "a", pid }] }]);
    expect(facts.orphans.map((each) => each.pid)).toContain(pidOf(marked!));
    expect(report).toMatchObject({ runs: 1, survivors: [] });
    expect(report.found).toEqual(expect.arrayContaining([pid, pidOf(marked!)]));
    expect([named, marked].map((child) => isAlive(pidOf(child!)))).toEqual([false, false]);
    expect(await left([token], 0)).toEqual([]);
    expect(isAlive(pidOf(other!))).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  it("takes a ledger for dead whose owner's pid is another process by now, and clears it away", async () => {
    const reused = tempHome();
    const path = writeLedger(reused, { ...deadOwner, pid: process.pid, start: "1" }, []);

    const report = await testProcesses({ home: reused }).start();

    expect([report.runs, existsSync(path)]).toEqual([1, false]);
  });

  it("takes no row for a process that has the pid and another start time", async () => {
    const [child] = await innocents(1);
    const home = tempHome();
    const pid = pidOf(child!);
    const group = { add: { pid, start: String(Number(startOf(pid)) - 1), server: "x", generation: 1 } };
    writeLedger(home, deadOwner, [group]);

    expect((await testProcesses({ home }).start()).found).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  it.each([
    [6.9, true],
    [7.1, false],
  ])("keeps the ledger of another boot for a week: after %s days it is there: %s", async (days, isThere) => {
    const home = tempHome();
    const path = writeLedger(home, { ...deadOwner, boot: "another" }, []);
    const then = new Date(Date.now() - days * 24 * 3_600_000);
    utimesSync(path, then, then);

    expect((await testProcesses({ home }).start()).runs).toBe(0);
    expect(existsSync(path)).toBe(isThere);
  });

  it("leaves marked processes alone whose supervisor lives or is not of this home", async () => {
    const [stranger] = await innocents(1, { MCPVISOR_RUN: `${"d".repeat(32)}.a.1` });
    const home = tempHome();
    writeLedger(home, deadOwner, []);

    const facts = await doctorFacts(home);
    await testProcesses({ home }).start();

    expect(facts.strangers.map((each) => each.pid)).toContain(pidOf(stranger!));
    expect(isAlive(pidOf(stranger!))).toBe(true);
  });
});
