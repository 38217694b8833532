import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import type { Platform, ProcessRow } from "./platform.js";

/** Runs a system program and gives what it prints, or nothing when it fails; injected in tests. */
export interface Tool {
  run(program: string, args: readonly string[]): Promise<string>;
  runNow(program: string, args: readonly string[]): string;
}

/** pid, parent, creation time and name of every process; `wmic` is gone from newer systems. */
const list = [
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, " +
    "$_.CreationDate.Ticks, $_.Name }",
] as const;
const listOne = (pid: number): readonly string[] => [
  ...list.slice(0, 3),
  list[3].replace("Win32_Process", `Win32_Process -Filter 'ProcessId=${pid}'`),
];

/**
 * Windows: the tree is known from looks made before anything is killed, because `taskkill /T` cannot find the children
 * of a dead parent. No signals but the kill, no groups, no marker, no pipes. Tested with injected programs.
 */
export function createWindows(tool: Tool = systemTool): Platform {
  const kill = (pid: number, signal: string): boolean => {
    if (signal !== "SIGKILL" || !Number.isSafeInteger(pid) || pid <= 4) return false;
    tool.runNow("taskkill.exe", ["/PID", String(pid), "/T", "/F"]);
    return true;
  };
  return {
    name: "windows",
    looks: false,
    terminates: false,
    async scan(visit) {
      for (const row of readRows(await tool.run("powershell.exe", list))) visit(row);
    },
    scanNow(visit) {
      for (const row of readRows(tool.runNow("powershell.exe", list))) visit(row);
    },
    look: (pid) => readRows(tool.runNow("powershell.exe", listOne(pid)))[0],
    exitOf: () => undefined,
    startedBefore: () => false,
    marker: () => undefined,
    stdio: () => [],
    // Containers run in a virtual machine there.
    containerProcesses: () => ({ inside: [], keepers: [] }),
    signal: kill,
    signalGroup: () => false,
    isOurs: () => true,
    bootId: () => "windows",
  };
}

/** Newest first; a parent that is younger than its child is a reused pid, and no parent. */
function readRows(text: string): ProcessRow[] {
  const rows = text.split(/\r?\n/).flatMap((line) => {
    const match = /^(\d+) (\d+) (\d*) (.+?)\s*$/.exec(line);
    return match === null
      ? []
      : [{ pid: Number(match[1]), ppid: Number(match[2]), start: match[3]!, name: match[4]! }];
  });
  const born = new Map(rows.map((row) => [row.pid, row.start]));
  return rows
    .toSorted((a, b) => compareTicks(b.start, a.start))
    .map((row) => {
      const parent = born.get(row.ppid);
      const isReused = parent !== undefined && compareTicks(parent, row.start) > 0;
      return { ...row, ppid: isReused ? 0 : row.ppid, pgid: 0, sid: 0, zombie: false };
    });
}

/** Ticks are larger than what a number holds exactly. */
function compareTicks(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

const run = promisify(execFile);
const mostOutput = 64 * 1024 * 1024;

const systemTool: Tool = {
  async run(program, args) {
    try {
      return (await run(program, [...args], { maxBuffer: mostOutput, windowsHide: true })).stdout;
    } catch {
      // It shows nobody then; the direct child is still known by its exit.
      return "";
    }
  },
  runNow(program, args) {
    try {
      return execFileSync(program, [...args], { encoding: "utf8", maxBuffer: mostOutput, windowsHide: true });
    } catch {
      // taskkill fails for a process that is gone, which is what was wanted.
      return "";
    }
  },
};
