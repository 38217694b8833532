import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { realClock } from "../../src/clock.js";
import type { OwnedProcess } from "../../src/process/owned.js";
import { createProcesses, type Processes, type ProcessesOptions } from "../../src/process/processes.js";

export const shapes = resolve(import.meta.dirname, "../fixtures/processes/shapes.sh");
export const shortGraces = { eofMs: 100, termMs: 300, killMs: 5000 };

/** A word that shows up in the command lines of one family, and nowhere else. */
export function newToken(): string {
  return `tok${randomBytes(8).toString("hex")}`;
}

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
  await new Promise<void>((ready) => child.stdout.once("data", () => ready()));
  return child;
}

/** Live processes whose command line holds the word, as `ps` sees them: an oracle apart from the code under test. */
export function withToken(token: string): number[] {
  return execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(token) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
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

export function killToken(token: string): void {
  for (const pid of withToken(token)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone in between.
    }
  }
}

/** Polls until the condition holds; fails the test after the time. */
export async function until(what: string, holds: () => boolean, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise((tick) => setTimeout(tick, 20));
  }
}
