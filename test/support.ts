import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { filter, firstValueFrom, timeout } from "rxjs";
import { afterEach } from "vitest";
import { createSupervisor } from "../src/index.js";
import type { Fact, FactOf, FactType, ServerConfig, Supervisor, SupervisorOptions } from "../src/index.js";

/** The scripted servers of the tests. */
export const servers = resolve(import.meta.dirname, "fixtures/servers");

/** A config of a scripted server that speaks on stdio. */
export function scripted(
  id: string,
  file: string,
  args: readonly string[] = [],
  extra: Partial<ServerConfig> = {},
): ServerConfig {
  return { id, command: process.execPath, args: [join(servers, file), ...args], ...extra };
}

const cleanups: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpvisor-test-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A supervisor in mode allow-trusted with a state folder of its own, stopped after the test. */
export function supervise(configs: readonly ServerConfig[], options: SupervisorOptions = {}): Supervisor {
  const supervisor = createSupervisor({
    mode: "allow-trusted",
    home: temporaryFolder(),
    handleSignals: false,
    servers: configs,
    ...options,
  });
  cleanups.push(() => supervisor.stop());
  return supervisor;
}

/** A started one whose servers are ready (or have failed). */
export async function running(
  configs: readonly ServerConfig[],
  options: SupervisorOptions = {},
): Promise<Supervisor> {
  const supervisor = supervise(configs, options);
  await supervisor.ready({ timeout: "40s" });
  return supervisor;
}

/** The first fact of a type from now on for which `which` holds. */
export function nextFact<T extends FactType>(
  supervisor: Supervisor,
  type: T,
  which: (fact: FactOf<T>) => boolean = () => true,
): Promise<FactOf<T>> {
  return firstValueFrom(
    supervisor.events$.pipe(
      filter((fact: Fact): fact is FactOf<T> => fact.type === type && which(fact as FactOf<T>)),
      timeout(40_000),
    ),
  );
}

/** Polls until `read` gives something other than undefined or false; fails after 20 s with `what`. */
export async function eventually<T>(
  read: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within 20 s: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Whether a process exists and is no zombie. */
export async function lives(pid: number): Promise<boolean> {
  const { readFile } = await import("node:fs/promises");
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return !/^\d+ \(.*\) [ZX]/s.test(stat);
  } catch {
    // No such process any more.
    return false;
  }
}
