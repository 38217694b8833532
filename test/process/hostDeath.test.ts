import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { figure, full, spread } from "../faults/figures.js";
import { type CompiledRooms, compileRooms, startHost } from "./hostPrograms.js";
import {
  containments,
  endFamily,
  left,
  isAlive,
  newToken,
  quietMs,
  shapes,
  tempHome,
  testProcesses,
  until,
  withToken,
} from "./support.js";

/** Those that hold even who leaves everything behind. */
const holding = containments.filter((each) => each === "cgroup" || each === "namespace");

/** Twenty families of nine processes are the goal of the full run. */
const rounds = full ? 20 : 1;

let rooms: CompiledRooms;
beforeAll(() => {
  rooms = compileRooms();
});
afterAll(() => rooms.remove());

interface Plan {
  readonly home: string;
  readonly shapes: readonly string[];
  readonly token: string;
  readonly script: string;
  readonly containment: string;
}

/** Nothing but evidence holds these families, unless it is said. */
function plan(letters: string, containment = "off"): Plan {
  const token = newToken();
  onTestFinished(() => endFamily(token));
  return { home: tempHome(), shapes: letters.split(""), token, script: shapes, containment };
}

/** The folder of a run's control groups, which its ledger names. */
function groupsOf(home: string): string | undefined {
  const [ledger] = readdirSync(join(home, "processes"));
  const text = readFileSync(join(home, "processes", ledger ?? ""), "utf8");
  return /"cgroups":"([^"]+)"/.exec(text)?.[1];
}

describe("when the host is killed", () => {
  it("the watchdog ends all families and itself, and removes the ledger", async () => {
    const emptyMs: number[] = [];
    let processes = 0;
    for (let round = 0; round < rounds; round++) {
      const killed = plan("ABCEFG");
      const host = startHost(rooms, killed);
      const { watchdog } = await host.line();
      const family = withToken(killed.token).length;
      expect(family).toBeGreaterThanOrEqual(9);
      processes += family;
      expect(readdirSync(join(killed.home, "processes"))).toHaveLength(1);

      const begun = performance.now();
      host.process.kill("SIGKILL");

      await host.exit;
      expect(await left([killed.token])).toEqual([]);
      emptyMs.push(performance.now() - begun - quietMs);
      await until("the watchdog is gone", () => !isAlive(Number(watchdog)));
      expect(readdirSync(join(killed.home, "processes"))).toEqual([]);
    }

    figure(`host killed ${rounds} times: its processes, survivors`, `${processes}, 0`);
    figure("… nothing left after, p50 / most (ms)", spread(emptyMs));
  }, 900_000);

  it.each(containments)("runners that fork all the time are caught as well (%s)", async (containment) => {
    const killed = plan("IJHM", containment);
    const host = startHost(rooms, killed);
    await host.line();

    host.process.kill("SIGKILL");

    await host.exit;
    expect(await left([killed.token])).toEqual([]);
    await until("the ledger is gone", () => readdirSync(join(killed.home, "processes")).length === 0);
  });

  it("the watchdog of a host in one file, which cannot start that program, ends what stands still", async () => {
    const bundled = compileRooms();
    onTestFinished(() => bundled.remove());
    rmSync(join(bundled.folder, "process/guard/watchdogMain.js"));
    const killed = plan("ABCDEFGHMP");
    const host = startHost(bundled, killed);
    await host.line();

    host.process.kill("SIGKILL");

    await host.exit;
    expect(await left([killed.token])).toEqual([]);
    await until("the ledger is gone", () => readdirSync(join(killed.home, "processes")).length === 0);
  });

  it.each(holding)("a daemon that left everything is still held (%s)", async (containment) => {
    const killed = plan("OA", containment);
    const host = startHost(rooms, killed);
    await host.line();
    expect(withToken(killed.token).length).toBeGreaterThanOrEqual(3);
    const folder = groupsOf(killed.home);

    host.process.kill("SIGKILL");

    await host.exit;
    expect(await left([killed.token])).toEqual([]);
    await until("its groups are gone", () => folder === undefined || !existsSync(folder));
  });

  it.each(holding)(
    "and the watchdog, a daemon that left everything is ended by the next start at the latest (%s)",
    async (containment) => {
      const killed = plan("OA", containment);
      const host = startHost(rooms, killed);
      const { watchdog } = await host.line();
      const folder = groupsOf(killed.home);
      process.kill(Number(watchdog), "SIGSTOP");
      host.process.kill("SIGKILL");
      await host.exit;
      process.kill(Number(watchdog), "SIGKILL");

      await testProcesses({ home: killed.home }).start();

      expect(withToken(killed.token)).toEqual([]);
      expect(folder !== undefined && existsSync(folder)).toBe(false);
    },
  );

  it("children that were only just started are ended, too", async () => {
    const killed = { ...plan("CCCC"), waitReady: false };
    const host = startHost(rooms, killed);
    await host.line();

    host.process.kill("SIGKILL");

    await host.exit;
    expect(await left([killed.token])).toEqual([]);
  });

  it("and the watchdog before it, the next start ends what is left before it starts anything", async () => {
    const reapMs: number[] = [];
    let processes = 0;
    for (let round = 0; round < rounds; round++) {
      const killed = plan("ABCEFJ");
      const host = startHost(rooms, killed);
      const { watchdog } = await host.line();
      processes += withToken(killed.token).length;
      // Stopped first, so that it cannot be replaced before the host is dead.
      process.kill(Number(watchdog), "SIGSTOP");
      host.process.kill("SIGKILL");
      await host.exit;
      process.kill(Number(watchdog), "SIGKILL");
      expect(withToken(killed.token).length).toBeGreaterThan(0);

      const begun = performance.now();
      const report = await testProcesses({ home: killed.home }).start();
      reapMs.push(performance.now() - begun);

      expect(report).toMatchObject({ runs: 1, survivors: [] });
      expect(report.found.length).toBeGreaterThan(0);
      expect(await left([killed.token], 0)).toEqual([]);
      expect(readdirSync(join(killed.home, "processes"))).toEqual([]);
    }

    figure(
      `host and watchdog killed ${rounds} times: processes, left after the next start`,
      `${processes}, 0`,
    );
    figure("… the next start took, p50 / most (ms)", spread(reapMs));
  }, 900_000);

  it("a watchdog that dies early is replaced", async () => {
    const killed = plan("CG");
    const host = startHost(rooms, killed);
    const { watchdog } = await host.line();

    process.kill(Number(watchdog), "SIGKILL");
    await until("the watchdog is gone", () => !isAlive(Number(watchdog)));
    await new Promise((tick) => setTimeout(tick, 200));
    host.process.kill("SIGKILL");

    await host.exit;
    expect(await left([killed.token])).toEqual([]);
  });

  it("another supervisor's children live on", async () => {
    const killed = plan("AC");
    const other = plan("AC");
    const host = startHost(rooms, killed);
    const neighbour = startHost(rooms, { ...other, home: killed.home });
    await host.line();
    await neighbour.line();
    const before = withToken(other.token);

    host.process.kill("SIGKILL");
    await host.exit;
    expect(await left([killed.token])).toEqual([]);
    const report = await testProcesses({ home: killed.home }).start();

    expect(report.found).toEqual([]);
    expect(before).toHaveLength(3);
    expect(new Set(withToken(other.token))).toEqual(new Set(before));
  });
});

describe("when the host ends", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("by %s, all children end first and the exit code shows the signal", async (signal, code) => {
    const ended = { ...plan("ACF"), waitReady: false };
    const host = startHost(rooms, ended);
    await host.line();

    host.process.kill(signal);

    expect(await host.line()).toEqual({ signal: true });
    expect(await host.exit).toEqual({ code, signal: null });
    expect(await left([ended.token], 0)).toEqual([]);
    // By the host, or by the watchdog where the host's 8 s were not enough.
    await until("the ledger is gone", () => readdirSync(join(ended.home, "processes")).length === 0);
  });

  it("a second signal ends it at once", async () => {
    const ended = { ...plan("CF"), slowStop: true };
    const host = startHost(rooms, ended);
    await host.line();

    host.process.kill("SIGTERM");
    await host.line();
    host.process.kill("SIGINT");

    expect(await host.exit).toEqual({ code: 130, signal: null });
    expect(await left([ended.token])).toEqual([]);
  });

  it("by its own will while it listens for the signal itself, it decides on its exit", async () => {
    const ended = { ...plan("C"), ownListener: true };
    const host = startHost(rooms, ended);
    await host.line();

    host.process.kill("SIGTERM");

    expect(await host.exit).toEqual({ code: 7, signal: null });
    expect(await left([ended.token])).toEqual([]);
  });

  it.each([
    ["throw", 1],
    ["exit", 3],
  ] as const)("by %s, its children are killed on the way out", async (ending, code) => {
    const ended = { ...plan("CF"), ending };
    const host = startHost(rooms, ended);
    await host.line();

    expect((await host.exit).code).toBe(code);
    expect(await left([ended.token])).toEqual([]);
  });
});
