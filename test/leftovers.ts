import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Fixtures end by themselves within this time of their parent's death. */
const patienceMs = 10_000;
const root = resolve(import.meta.dirname, "..");
const runName = "MCPVISOR_TEST_RUN";

/**
 * One check at the end of the whole run: no process of it is left, whatever failed before. A process is of this run when it
 * began after it and has the run's name in its environment, the run's temporary folder in its command line or environment,
 * or a mark of mcpvisor while it works in this checkout and nobody older stands above it. It fails with their names, and
 * ends them.
 */
export function setup(): () => Promise<void> {
  const run = randomBytes(8).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "mcpvisor-tests-"));
  process.env[runName] = run;
  process.env["TMPDIR"] = folder;
  const begun = startOf(process.pid) ?? 0;
  return async () => {
    const deadline = Date.now() + patienceMs;
    let found = leftovers(run, folder, begun);
    while (found.length > 0 && Date.now() < deadline) {
      await new Promise((tick) => setTimeout(tick, 250));
      found = leftovers(run, folder, begun);
    }
    for (const { pid } of found) kill(pid);
    rmSync(folder, { recursive: true, force: true });
    if (found.length === 0) return;
    const names = found.map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`);
    // An error alone is printed, and the run counts as passed.
    process.exitCode = 1;
    throw new Error(`the tests have left ${found.length} processes behind:\n${names.join("\n")}`);
  };
}

interface Leftover {
  readonly pid: number;
  readonly command: string;
}

function leftovers(run: string, folder: string, begun: number): readonly Leftover[] {
  return pids().flatMap((pid) => {
    const command = read(pid, "cmdline").replaceAll("\0", " ").trim();
    if (pid === process.pid || (startOf(pid) ?? 0) <= begun || command === "" || isRunner(pid)) return [];
    const environ = read(pid, "environ");
    const isOurs =
      environ.includes(`${runName}=${run}`) ||
      environ.includes(folder) ||
      command.includes(folder) ||
      (environ.includes("MCPVISOR_RUN=") && isHere(pid) && !isBelow(pid, begun));
    return isOurs ? [{ pid, command }] : [];
  });
}

/** The test runner's own children are still there: direct ones, in its process group. */
function isRunner(pid: number): boolean {
  const [, ppid, pgid] = statOf(pid) ?? [];
  return Number(ppid) === process.pid && pgid === statOf(process.pid)?.[2];
}

function isHere(pid: number): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`);
  } catch {
    // Gone, or of another user.
    return false;
  }
}

/** Whether it has an ancestor that is older than this run, besides the first of all: then it is somebody else's. */
function isBelow(pid: number, begun: number): boolean {
  for (let at = Number(statOf(pid)?.[1]); at > 1; at = Number(statOf(at)?.[1])) {
    if ((startOf(at) ?? 0) <= begun) return true;
  }
  return false;
}

function pids(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1);
}

function startOf(pid: number): number | undefined {
  const start = statOf(pid)?.[19];
  return start === undefined ? undefined : Number(start);
}

/** The fields behind the name: state, parent, group, …, start; undefined for a zombie, too. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = read(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" || fields[0] === "Z" ? undefined : fields;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // Gone, or of another user.
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone in between.
  }
}
