import { chmodSync, copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pidtree } from "pidtree";
import { describe, expect, it, onTestFinished } from "vitest";
import { which } from "../../src/process/which.js";
import {
  containments,
  endFamily,
  left,
  isAlive,
  newToken,
  plainEnv,
  shapes,
  shortGraces,
  startShape,
  tempHome,
  testProcesses,
  withToken,
} from "./support.js";

const hostSignals = ["SIGINT", "SIGTERM", "SIGHUP", "exit"] as const;

function listeners(): number[] {
  return hostSignals.map((name) => process.listenerCount(name));
}

/** How long to wait for something on a loaded machine, and what is said when it does not come. */
function waiting(message: string): { timeout: number; message: string } {
  return { timeout: 20_000, message };
}

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

describe("the registry of children", () => {
  it("listens to the host once for all supervisors, and no more after the last has left", async () => {
    const before = listeners();
    const many = Array.from({ length: 3 }, () => testProcesses({ handleSignals: true }));

    expect(listeners()).toEqual(before.map((count) => count + 1));
    await many[0]!.close();
    await many[1]!.close();
    expect(listeners()).toEqual(before.map((count) => count + 1));
    await many[2]!.close();
    expect(listeners()).toEqual(before);
  });

  it("begins no ledger and no watchdog before there is a child, and leaves neither behind", async () => {
    const home = tempHome();
    const processes = testProcesses({ home });
    await processes.start();
    expect([readdirSync(home), processes.watchdogPid()]).toEqual([[], undefined]);

    const child = await startShape(processes, "A", newToken());
    const watchdog = processes.watchdogPid() ?? 0;
    expect(readdirSync(join(home, "processes"))).toEqual([`${processes.runId}.ledger`]);
    expect(isAlive(watchdog)).toBe(true);
    expect(await child.stop(shortGraces)).toMatchObject({ survivors: [], forced: false });
    await processes.close();

    expect(readdirSync(join(home, "processes"))).toEqual([]);
    await expect.poll(() => isAlive(watchdog), waiting("the end of the watchdog")).toBe(false);
  });

  it("knows the descendants of a child that pidtree knows", async () => {
    const processes = testProcesses();
    const token = newToken();
    onTestFinished(() => endFamily(token));
    const child = await startShape(processes, "B", token);
    const expected = await pidtree(child.pid, { root: true });

    const end = child.stop({ eofMs: 1000, termMs: 1000, killMs: 3000 });
    await expect.poll(() => child.pids().length, waiting("all of the family")).toBeGreaterThan(2);

    expect(child.pids()).toEqual(
      expect.arrayContaining(expected.filter((pid) => withToken(token).includes(pid))),
    );
    expect(await end).toMatchObject({ survivors: [] });
  });

  it("marks children behind the mark of an outer supervisor", async () => {
    const outer = `${"c".repeat(32)}.outer.4`;
    process.env["MCPVISOR_RUN"] = outer;
    onTestFinished(() => void delete process.env["MCPVISOR_RUN"]);
    const processes = testProcesses();
    const child = await processes.spawn({
      server: "a",
      generation: 2,
      command: "sh",
      args: ["-c", 'echo "$MCPVISOR_RUN"; cat'],
      env: plainEnv(),
    });

    const text = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data) => resolve(String(data))),
    );

    expect(text).toBe(`${outer},${processes.runId}.a.2\n`);
  });

  it("stops many stubborn servers in about the time of one", async () => {
    const processes = testProcesses();
    const token = newToken();
    onTestFinished(() => endFamily(token));
    const children = await Promise.all(Array.from({ length: 20 }, () => startShape(processes, "C", token)));
    const begun = performance.now();

    const ends = await Promise.all(children.map((child) => child.stop(shortGraces)));
    const ms = performance.now() - begun;

    expect(ends.flatMap((end) => end.survivors)).toEqual([]);
    expect(await left([token], 0)).toEqual([]);
    // One after the other they would take 20 times 400 ms of graces alone.
    expect(ms).toBeLessThan(7000);
  });

  it.each(containments.filter((each) => each !== "namespace"))(
    "leaves shared daemons alone that a tool started, and says so (%s)",
    async (containment) => {
      const processes = testProcesses({ containment });
      const daemon = join(tempHome(), "gpg-agent");
      const token = newToken();
      onTestFinished(() => endFamily(token));
      copyFileSync(which("perl", process.env["PATH"]) ?? "", daemon);
      chmodSync(daemon, 0o755);
      const waits = "'sleep 1 while -e $ARGV[0]'";
      const script = `(setsid "$0" -e ${waits} "$1" >/dev/null 2>&1 </dev/null &); sleep 0.2; echo ready; sleep 9`;
      const child = await processes.spawn({
        server: "a",
        generation: 1,
        command: "sh",
        args: ["-c", script, daemon, token],
        env: plainEnv(),
      });
      await new Promise((ready) => child.stdout.once("data", ready));

      const end = await child.stop(shortGraces);

      expect(end).toMatchObject({ survivors: [], spared: [{ name: "gpg-agent" }] });
      const spared = end.spared[0]!.pid;
      expect(isAlive(spared)).toBe(true);
    },
  );

  it("keeps no descriptor, listener or child over many crashes", async () => {
    const processes = testProcesses();
    const crash = async (): Promise<void> => {
      const child = await processes.spawn({
        server: "a",
        generation: 1,
        command: "sh",
        args: ["-c", "exit 1"],
        env: plainEnv(),
      });
      expect(await child.exit).toEqual({ code: 1, signal: null });
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      expect(await child.stop(shortGraces)).toMatchObject({ survivors: [], forced: false });
    };
    await crash();
    await crash();
    const before = [descriptors(), ...listeners()];

    for (let round = 0; round < 30; round++) await crash();

    await expect
      .poll(() => [descriptors(), ...listeners()], waiting("descriptors and listeners as they were"))
      .toEqual(before);
    expect(processes.owned()).toEqual([]);
  });

  it("joins a second stop to the first", async () => {
    const processes = testProcesses();
    const token = newToken();
    onTestFinished(() => endFamily(token));
    const child = await processes.spawn({
      server: "a",
      generation: 1,
      command: "sh",
      args: [shapes, "stubborn", token],
      env: plainEnv(),
    });

    const [first, second] = await Promise.all([child.stop(shortGraces), child.stop(shortGraces)]);

    expect(first).toBe(second);
    expect(first).toMatchObject({ survivors: [], forced: true });
  });
});
