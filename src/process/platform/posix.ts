import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { markerName } from "../marker.js";
import type { Platform, ProcessRow } from "./platform.js";
import { signalGroup, signalProcess } from "./signals.js";

/** Runs `ps` with these arguments and gives what it prints; injected in tests. */
export interface Ps {
  run(args: readonly string[]): Promise<string>;
  runNow(args: readonly string[]): string;
}

const columns = "pid=,ppid=,pgid=,stat=,lstart=,ucomm=";
const everything = ["-A", "-o", columns];
/** BSD `ps` shows the environment behind the command, for our own processes only. */
const environments = ["-A", "-E", "-ww", "-o", "pid=,command="];
const mostOutput = 64 * 1024 * 1024;

/**
 * macOS and other systems without /proc: one `ps` per look, start times to the second, the marker where `ps -E` shows
 * it. Sessions and pipes cannot be told. Designed for macOS, tested with an injected `ps`.
 */
export function createPosix(ps: Ps = systemPs): Platform {
  let markers = new Map<number, string>();
  const show = (table: string, environs: string, visit: (row: ProcessRow) => void): void => {
    markers = readMarkers(environs);
    for (const row of readTable(table).toSorted((a, b) => b.pid - a.pid)) visit(row);
  };
  return {
    name: "posix",
    looks: false,
    terminates: true,
    async scan(visit) {
      const [table, environs] = await Promise.all([ps.run(everything), ps.run(environments)]);
      show(table, environs, visit);
    },
    scanNow: (visit) => show(ps.runNow(everything), ps.runNow(environments), visit),
    look: (pid) => readTable(ps.runNow(["-o", columns, "-p", String(pid)]))[0],
    exitOf: () => undefined,
    // Seconds are too coarse to tell a parent from its child.
    startedBefore: () => false,
    marker: (row) => markers.get(row.pid),
    stdio: () => [],
    // Containers run in a virtual machine there.
    containerProcesses: () => ({ inside: [], keepers: [] }),
    signal: signalProcess,
    signalGroup,
    // The kernel lets nobody but root signal others; root is trusted with the ledgers of its own home.
    isOurs: () => true,
    bootId: () => "posix",
  };
}

function readTable(text: string): ProcessRow[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.+?)\s*$/.exec(
      line,
    );
    if (match === null) return [];
    const [, pid, ppid, pgid, state, start, name] = match as unknown as string[];
    return [
      {
        pid: Number(pid),
        ppid: Number(ppid),
        pgid: Number(pgid),
        sid: 0,
        // One word, as the watchdog's program reads it.
        start: start!.trim().replaceAll(/\s+/g, "_"),
        name: name!,
        zombie: state!.startsWith("Z"),
      },
    ];
  });
}

function readMarkers(text: string): Map<number, string> {
  const pattern = new RegExp(`^\\s*(\\d+)\\s.*\\s${markerName}=(\\S+)`);
  return new Map(
    text.split("\n").flatMap((line) => {
      const match = pattern.exec(line);
      return match === null ? [] : [[Number(match[1]), match[2]!] as const];
    }),
  );
}

const run = promisify(execFile);

const systemPs: Ps = {
  async run(args) {
    try {
      return (await run("ps", [...args], { maxBuffer: mostOutput })).stdout;
    } catch {
      // A `ps` that fails shows nobody: what it would have shown counts as a survivor of nothing, not as an error.
      return "";
    }
  },
  runNow(args) {
    try {
      return execFileSync("ps", [...args], {
        encoding: "utf8",
        maxBuffer: mostOutput,
        stdio: ["ignore", "pipe", "ignore"],
      });
    } catch {
      // `ps -p` of a process that is gone ends with an error.
      return "";
    }
  },
};
