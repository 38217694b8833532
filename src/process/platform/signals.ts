import type { TreeSignal } from "./platform.js";

/** Sends a signal to one process; false when it is gone or not ours. Never reaches pid 0, 1 or a group by accident. */
export function signalProcess(pid: number, signal: TreeSignal): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && send(pid, signal);
}

/** Sends a signal to a process group; false when it has no member any more. */
export function signalGroup(pgid: number, signal: TreeSignal): boolean {
  return Number.isSafeInteger(pgid) && pgid > 1 && send(-pgid, signal);
}

function send(target: number, signal: TreeSignal): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // ESRCH: gone already, which is what we want. EPERM: not ours; it shows up as a survivor.
    return false;
  }
}
