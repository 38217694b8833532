import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { constants } from "node:os";
import { markerName } from "../marker.js";
import { containerProcesses } from "./containerProcesses.js";
import type { Platform, ProcessExit, ProcessRow } from "./platform.js";
import { signalGroup, signalProcess } from "./signals.js";

/** Linux: everything from /proc, without starting a process. All calls are synchronous, some 30 µs per process. */
export function createLinux(): Platform {
  const markers = createMarkerCache();
  const scanNow = createScan();
  return {
    name: "linux",
    looks: true,
    terminates: true,
    scan: scanNow,
    scanNow,
    look,
    exitOf,
    // Ticks of 10 ms since boot; an unknown start is earlier than nothing.
    startedBefore: (start, other) => start !== "" && other !== "" && Number(start) < Number(other),
    marker: (row) => markers.of(row),
    stdio,
    containerProcesses: (ids) => containerProcesses(ids, look),
    signal: signalProcess,
    signalGroup,
    isOurs: (pid) => ownerOf(pid) === process.getuid?.(),
    bootId: () => `${readText("/proc/sys/kernel/random/boot_id")?.trim()} ${readLink("/proc/self/ns/pid")}`,
  };
}

/** A process that is this young when a look begins is shown twice. */
const youngTicks = 100;
/** A machine on which something is born at every moment is not looked at for ever. */
const mostRounds = 20;
/** A zombie is not read again for so long: where nobody collects them, a storm of births leaves thousands. */
const zombieMs = 500;

/**
 * A scan that shows everybody there is at one moment, not over the time a look takes: who was born meanwhile is shown,
 * too, until nobody was born between two listings, or until `more` says that enough is known. The young are shown
 * again at the end, because the environment of a process is empty while it executes another program.
 */
function createScan(): (visit: (row: ProcessRow) => void, more: () => boolean) => void {
  let zombies = new Map<number, number>();
  return (visit, more) => {
    const now = performance.now();
    const youngest = ticksSinceBoot() - youngTicks;
    const listed = new Set<number>();
    const young: number[] = [];
    const dead = new Map<number, number>();
    const show = (pid: number): void => {
      const until = zombies.get(pid) ?? 0;
      const row = until > now ? undefined : look(pid);
      if (until > now || row?.zombie === true) dead.set(pid, until > now ? until : now + zombieMs);
      if (row === undefined) return;
      if (Number(row.start) >= youngest) young.push(pid);
      visit(row);
    };
    for (let round = 0, before = -1, born = 0; born !== before && round < mostRounds; round++) {
      if (round > 0 && !more()) break;
      before = born;
      born = lastBorn();
      for (const pid of pidsNewestFirst()) {
        if (listed.has(pid)) continue;
        listed.add(pid);
        show(pid);
      }
    }
    for (const pid of young.slice()) show(pid);
    zombies = dead;
  };
}

/** The number that was given last to a process or a thread of our namespace. */
function lastBorn(): number {
  return Number(readText("/proc/loadavg")?.split(" ")[4] ?? 0);
}

function pidsNewestFirst(): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .toSorted((a, b) => b - a);
}

function look(pid: number): ProcessRow | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(pid, stat);
}

/** `pid (name) state ppid pgrp session … starttime(22)`; the name may hold blanks and brackets (proc(5)). */
function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const nameEnd = stat.lastIndexOf(")");
  const fields = stat.slice(nameEnd + 2).split(" ");
  const start = fields[19];
  if (nameEnd < 0 || start === undefined) return undefined;
  return {
    pid,
    start,
    ppid: Number(fields[1]),
    pgid: Number(fields[2]),
    sid: Number(fields[3]),
    name: stat.slice(stat.indexOf("(") + 1, nameEnd),
    zombie: fields[0] === "Z" || fields[0] === "X",
  };
}

/** The status of a zombie as wait(2) gives it; 0 is also what the kernel shows to those who may not know. */
function exitOf(pid: number): ProcessExit | undefined {
  const stat = readText(`/proc/${pid}/stat`) ?? "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = fields[0] === "Z" ? Number(fields[49]) : 0;
  if (!Number.isInteger(status) || status <= 0) return undefined;
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: null };
  const signal = Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
  return signal === undefined ? undefined : { code: null, signal: signal as NodeJS.Signals };
}

/** A process in its first moments may still get its environment by exec; what is older keeps it. */
const settledTicks = 200;
const cacheSize = 4096;

/** An environment is read once per process: sweeps repeat every few milliseconds. */
function createMarkerCache() {
  const known = new Map<number, { readonly start: string; readonly marker: string | undefined }>();
  return {
    of({ pid, start }: ProcessRow): string | undefined {
      const held = known.get(pid);
      if (held?.start === start) return held.marker;
      const marker = readMarker(pid);
      if (marker !== undefined || ticksSinceBoot() - Number(start) > settledTicks) {
        if (known.size >= cacheSize) known.clear();
        known.set(pid, { start, marker });
      }
      return marker;
    },
  };
}

function readMarker(pid: number): string | undefined {
  const environ = readText(`/proc/${pid}/environ`);
  if (environ === undefined || !environ.includes(markerName)) return undefined;
  const prefix = `${markerName}=`;
  const line = environ.split("\0").find((each) => each.startsWith(prefix));
  // A copy: a slice would keep the whole environment in memory.
  return line === undefined ? undefined : Buffer.from(line).toString("utf8", prefix.length);
}

/** Start times in /proc are in units of 10 ms (USER_HZ is 100 on every Linux that Node runs on). */
function ticksSinceBoot(): number {
  return Number(readText("/proc/uptime")?.split(" ")[0] ?? 0) * 100;
}

function stdio(pid: number): readonly string[] {
  return [0, 1, 2].flatMap((fd) => readLink(`/proc/${pid}/fd/${fd}`) ?? []);
}

function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Closed, gone, or of another user: it tells nothing then.
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended in between or belongs to somebody else.
    return undefined;
  }
}
