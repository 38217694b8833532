import { appendFileSync, readFileSync, readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The long versions of the proofs, as `npm run chaos` runs them. */
export const full = process.env["MCPVISOR_FULL"] !== undefined;

/** Writes down a measured figure, when somebody wants to read it (docs/reliability.md). */
export function figure(name: string, value: string | number): void {
  const file = process.env["MCPVISOR_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${name}: ${value}\n`);
}

/** Value below which this part of the numbers lies. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Median and largest of some milliseconds, to be read. */
export function spread(ms: readonly number[]): string {
  return `${percentile(ms, 0.5).toFixed(0)} / ${percentile(ms, 1).toFixed(0)}`;
}

/** What this process holds of the system, by kind. */
export interface Holdings {
  readonly descriptors: number;
  readonly children: number;
  readonly timers: number;
  readonly listeners: number;
  readonly heapBytes: number;
}

/** Counts after a collection of garbage. */
export function holdings(): Holdings {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return {
    descriptors: readdirSync("/proc/self/fd").length,
    children: childrenOf(process.pid),
    timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    heapBytes: process.memoryUsage().heapUsed,
  };
}

function childrenOf(pid: number): number {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid).length;
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // Gone in between.
    return undefined;
  }
}
