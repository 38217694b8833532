import type { Fact } from "../../../index.js";
import type { SettledCall } from "./history.js";

/** Columns for a plot: x in epoch seconds, one entry per slice. Null where there is nothing to show. */
export interface Series {
  readonly x: readonly number[];
  readonly ok: readonly number[];
  readonly failed: readonly number[];
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
}

/** Calls per second and latency over the last `slices` slices that end at `now` (epoch ms). */
export function seriesOf(
  settled: readonly SettledCall[],
  now: number,
  slices: number,
  sliceMs: number,
): Series {
  const end = Math.floor(now / sliceMs) * sliceMs;
  const begin = end - slices * sliceMs;
  const times: number[][] = Array.from({ length: slices }, () => []);
  const ok = Array.from({ length: slices }, () => 0);
  const failed = Array.from({ length: slices }, () => 0);
  for (const call of settled) {
    const slice = Math.floor((call.at - begin) / sliceMs);
    if (slice < 0 || slice >= slices) continue;
    const counts = call.ok ? ok : failed;
    counts[slice] = (counts[slice] ?? 0) + 1;
    times[slice]?.push(call.ms);
  }
  const perSecond = 1000 / sliceMs;
  const sorted = times.map((each) => each.toSorted((a, b) => a - b));
  return {
    x: times.map((_, slice) => (begin + slice * sliceMs) / 1000),
    ok: ok.map((count) => count * perSecond),
    failed: failed.map((count) => count * perSecond),
    p50: sorted.map((each) => quantile(each, 0.5)),
    p95: sorted.map((each) => quantile(each, 0.95)),
  };
}

/** Nearest rank of sorted numbers; null when there are none. */
export function quantile(sorted: readonly number[], q: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)] ?? null;
}

/** One mark on the line of restarts. */
export interface RestartMark {
  readonly id: string;
  readonly at: number;
  readonly kind: "restart" | "parked";
  readonly message: string;
}

/** Lives after the first, and giving up, as marks over time. */
export function restartsOf(facts: readonly Fact[]): RestartMark[] {
  return facts.flatMap((fact): RestartMark[] => {
    if (fact.type !== "mcp.state") return [];
    const { id, at, cause } = fact;
    if (fact.to === "parked") return [{ id, at, kind: "parked", message: cause.message }];
    if (fact.to === "connecting" && fact.generation > 1)
      return [{ id, at, kind: "restart", message: cause.message }];
    return [];
  });
}
