import { readFileSync } from "node:fs";

/** Whether a process with this pid exists, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Start time of a process in clock ticks since boot (proc(5), field 22): with the pid it names one process for good.
 * Empty where the system does not tell.
 */
export function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold blanks and brackets; fields are counted after its last bracket.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    // No /proc on this system, or no such process: the pid alone has to do.
    return "";
  }
}

/** Whether this very process still runs: a pid that was given to another one since does not count. */
export function isRunning(pid: number, start: string): boolean {
  return isAlive(pid) && (start === "" || startOf(pid) === start);
}
