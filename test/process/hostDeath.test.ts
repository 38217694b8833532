import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { cgroupBase, removeCgroupBase } from "../../src/process/cgroup.js";
import { figure, full, spread } from "../faults/figures.js";
import { type CompiledRooms, compileRooms, startHost } from "./hostPrograms.js";
import {
  isAlive,
  killToken,
  newToken,
  shapes,
  tempHome,
  testProcesses,
  until,
  withToken,
} from "./support.js";

/** Whether this machine lets us make control groups. */
const groups = cgroupBase("probe");
if ("base" in groups) removeCgroupBase(groups.base);

/** Twenty families of nine processes are the goal of the full run. */
const rounds = full ? 20 : 1;
const patience = { timeout: 10_000, interval: 20 };

let rooms: CompiledRooms;
beforeAll(() => {
  rooms = compileRooms();
});
afterAll(() => rooms.remove());

function plan(letters: string): { home: string; shapes: string[]; token: string; script: string } {
  const token = newToken();
  onTestFinished(() => killToken(token));
  return { home: tempHome(), shapes: letters.split(""), token, script: shapes };
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
      await expect.poll(() => withToken(killed.token), patience).toEqual([]);
      emptyMs.push(performance.now() - begun);
      await until("the watchdog is gone", () => !isAlive(Number(watchdog)), 10_000);
      expect(readdirSync(join(killed.home, "processes"))).toEqual([]);
    }

    figure(`host killed ${rounds} times: its processes, survivors`, `${processes}, 0`);
    figure("… nothing left after, p50 / most (ms)", spread(emptyMs));
  }, 900_000);

  it.each("base" in groups ? (["cgroup"] as const) : [])(
    "a daemon that left everything is still held by its %s",
    async (containment) => {
      const killed = { ...plan("OA"), containment };
      const host = startHost(rooms, killed);
      const { run } = await host.line();
      expect(withToken(killed.token)).toHaveLength(3);

      host.process.kill("SIGKILL");

      await host.exit;
      await expect.poll(() => withToken(killed.token), patience).toEqual([]);
      const folder = "base" in groups ? groups.base.replace("probe", String(run)) : "";
      await expect.poll(() => existsSync(folder), patience).toBe(false);
    },
  );

  it.each("base" in groups ? (["cgroup"] as const) : [])(
    "and the watchdog, a daemon that left everything is ended by the next start through its %s",
    async (containment) => {
      const killed = { ...plan("OA"), containment };
      const host = startHost(rooms, killed);
      const { run, watchdog } = await host.line();
      process.kill(Number(watchdog), "SIGSTOP");
      host.process.kill("SIGKILL");
      await host.exit;
      process.kill(Number(watchdog), "SIGKILL");

      await testProcesses({ home: killed.home }).start();

      expect(withToken(killed.token)).toEqual([]);
      expect(existsSync("base" in groups ? groups.base.replace("probe", String(run)) : "")).toBe(false);
    },
  );

  it("runners that fork all the time are caught as well", async () => {
    const killed = plan("IJHM");
    const host = startHost(rooms, killed);
    await host.line();

    host.process.kill("SIGKILL");

    await host.exit;
    await expect.poll(() => withToken(killed.token), patience).toEqual([]);
  });

  it("children that were only just started are ended, too", async () => {
    const killed = { ...plan("CCCC"), waitReady: false };
    const host = startHost(rooms, killed);
    await host.line();

    host.process.kill("SIGKILL");

    await host.exit;
    await expect.poll(() => withToken(killed.token), patience).toEqual([]);
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
      expect(withToken(killed.token)).toEqual([]);
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
    await expect.poll(() => withToken(killed.token), patience).toEqual([]);
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
    await expect.poll(() => withToken(killed.token), patience).toEqual([]);
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
    expect(withToken(ended.token)).toEqual([]);
    expect(readdirSync(join(ended.home, "processes"))).toHaveLength(0);
  });

  it("a second signal ends it at once", async () => {
    const ended = { ...plan("CF"), slowStop: true };
    const host = startHost(rooms, ended);
    await host.line();

    host.process.kill("SIGTERM");
    await host.line();
    host.process.kill("SIGINT");

    expect(await host.exit).toEqual({ code: 130, signal: null });
    await expect.poll(() => withToken(ended.token), patience).toEqual([]);
  });

  it("by its own will while it listens for the signal itself, it decides on its exit", async () => {
    const ended = { ...plan("C"), ownListener: true };
    const host = startHost(rooms, ended);
    await host.line();

    host.process.kill("SIGTERM");

    expect(await host.exit).toEqual({ code: 7, signal: null });
    await expect.poll(() => withToken(ended.token), patience).toEqual([]);
  });

  it.each([
    ["throw", 1],
    ["exit", 3],
  ] as const)("by %s, its children are killed on the way out", async (ending, code) => {
    const ended = { ...plan("CF"), ending };
    const host = startHost(rooms, ended);
    await host.line();

    expect((await host.exit).code).toBe(code);
    await expect.poll(() => withToken(ended.token), patience).toEqual([]);
  });
});
