import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Engine, engineEnv, engineWord } from "../containers/engine.js";
import type { Identity } from "../platform/platform.js";
import { watchdogScript } from "./watchdogScript.js";

/** A tiny process that outlives us and ends our children when we were killed before we could. */
export interface Watchdog {
  /** Undefined when there is none (no shell, or Windows). */
  pid(): number | undefined;
  add(root: Identity, pipes: readonly string[]): void;
  gone(root: Identity): void;
  /** Containers that this engine runs for us are ended, too. */
  addEngine(engine: Engine): void;
  /** All is well: it ends without doing anything. */
  dismiss(): void;
}

export interface WatchdogOptions {
  readonly run: string;
  /** When this process began. */
  readonly since: string;
  /** Removed by the watchdog when it has ended everything. */
  readonly ledgerPath: string;
  /** Folder of the children's control groups; empty when there is none. */
  readonly cgroups: string;
  /** Its process must never be taken for one of ours. */
  readonly onStarted: (pid: number) => void;
}

/** Somebody who kills watchdogs in a loop gets no more than this many. */
const mostStarts = 4;

/** Starts the watchdog of one supervisor; if it dies before its time, another one is started. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const children = new Map<number, string>();
  const engines = new Set<string>();
  let child: ChildProcess | undefined;
  let starts = 0;
  let dismissed = false;

  const begin = (): void => {
    if (dismissed || starts >= mostStarts) return;
    starts++;
    const started = spawnShell(options);
    child = started;
    started.once("exit", () => {
      if (child === started) child = undefined;
      begin();
    });
    if (started.pid !== undefined) options.onStarted(started.pid);
    for (const line of [...engines, ...children.values()]) tell(line);
  };
  /** Lines of one turn share a write. A host that is killed before it has ended leaves children that bear its mark. */
  const tell = (line: string): void => {
    const { stdin } = child ?? {};
    if (stdin === undefined || stdin === null) return;
    stdin.cork();
    stdin.write(`${line}\n`);
    process.nextTick(() => stdin.uncork());
  };
  begin();

  return {
    pid: () => child?.pid,
    add({ pid, start }, pipes) {
      const line = `A ${pid} ${start} ${pipes.join(",")}`;
      children.set(pid, line);
      tell(line);
    },
    gone({ pid, start }) {
      children.delete(pid);
      tell(`D ${pid} ${start}`);
    },
    addEngine(engine) {
      const line = `C ${engineWord(engine)}`;
      if (engines.has(line)) return;
      engines.add(line);
      tell(line);
    },
    dismiss() {
      dismissed = true;
      tell("Q");
      child?.stdin?.end();
    },
  };
}

/** The program that ends what a dead host has left; empty where this code is not in its own file (a bundle, a test). */
function mainProgram(): string {
  try {
    const path = fileURLToPath(new URL("watchdogMain.js", import.meta.url));
    return existsSync(path) ? path : "";
  } catch {
    // Not loaded from a file.
    return "";
  }
}

function spawnShell({ run, since, ledgerPath, cgroups }: WatchdogOptions): ChildProcess {
  const args = [run, since, ledgerPath, cgroups, process.execPath, mainProgram()];
  const child = spawn("sh", ["-c", watchdogScript, "mcpvisor-watchdog", ...args], {
    // Its own session, and none of our environment: it must carry no mark and outlive a closed terminal.
    detached: true,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...engineEnv(process.env) },
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no watchdog; the reaper of the next start still cleans up.
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  if (child.stdin !== null && "unref" in child.stdin && typeof child.stdin.unref === "function") {
    child.stdin.unref();
  }
  return child;
}
