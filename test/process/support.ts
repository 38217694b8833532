import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { realClock } from "../../src/clock.js";
import type { OwnedProcess } from "../../src/process/owned.js";
export { endFamily, left, newToken, quietMs, withToken } from "./families.js";
import { cgroupPlace } from "../../src/process/containment/cgroupPlace.js";
import type { ContainmentChoice } from "../../src/process/containment/containment.js";
import { namespaces } from "../../src/process/containment/namespace.js";
import { which } from "../../src/process/which.js";
import { createProcesses, type Processes, type ProcessesOptions } from "../../src/process/processes.js";

export const shapes = resolve(import.meta.dirname, "../fixtures/processes/shapes.sh");
export const shortGraces = { eofMs: 100, termMs: 300, killMs: 5000 };

/** What this machine can hold families with; nothing but evidence first. */
export const containments: readonly ContainmentChoice[] = [
  "off",
  ...("folder" in cgroupPlace() ? (["cgroup"] as const) : []),
  ...(which("tini", process.env["PATH"]) === undefined ? [] : (["subreaper"] as const)),
  ...("bwrap" in namespaces(process.env["PATH"]) ? (["namespace"] as const) : []),
];

/** A state folder that is removed after the test. */
export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), "mcpvisor-test-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** A registry whose children are killed after the test, whatever happened. */
export function testProcesses(options: Partial<ProcessesOptions> = {}): Processes {
  const processes = createProcesses({
    clock: realClock,
    home: options.home ?? tempHome(),
    handleSignals: false,
    onHostSignal: async () => {},
    ...options,
  });
  onTestFinished(async () => {
    processes.killAllNow();
    await Promise.all(processes.owned().map((child) => child.stop(shortGraces)));
    await processes.close();
  });
  return processes;
}

export function plainEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
}

/** Starts one family of the fixture and waits until it is complete. */
export async function startShape(processes: Processes, shape: string, token: string): Promise<OwnedProcess> {
  const child = await processes.spawn({
    server: shape.toLowerCase(),
    generation: 1,
    command: "sh",
    args: [shapes, shape, token],
    env: plainEnv(),
  });
  // What a child says that has exited may be lost: Node throws away what nobody reads by then.
  await Promise.race([child.exit, new Promise((ready) => child.stdout.once("data", ready))]);
  return child;
}

export function isAlive(pid: number): boolean {
  return living([pid]).length > 0;
}

/** Those of the pids behind which something lives, as `ps` sees it. */
export function living(pids: readonly number[]): number[] {
  const alive = new Set(
    execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" })
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, state]) => state !== undefined && !state.startsWith("Z"))
      .map(([pid]) => Number(pid)),
  );
  return pids.filter((pid) => alive.has(pid));
}

/** Polls until the condition holds; fails the test after the time. */
export async function until(what: string, holds: () => boolean, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise((tick) => setTimeout(tick, 20));
  }
}
