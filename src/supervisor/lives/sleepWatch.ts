import { ping } from "../../actors/ping.js";
import { elapsedOf } from "../../clock.js";
import type { Dated } from "../../rpc/deadlines.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerRecord } from "../state/serverRecord.js";

/** How often is looked, and how far the two clocks must be apart: daylight and small corrections are no sleep. */
const lookEveryMs = 30_000;
const sleptMs = 20_000;
const probeMs = 10_000;

/**
 * Notices that the machine has slept: its wall clock has gone on, its monotonic clock has not. Connections may be dead
 * without a word then, so each serving one is probed once; one that answers nothing ends and is looked after like any
 * other fault.
 */
export function watchSleep(shared: SharedState): { close(): void } {
  let wall = shared.clock.now();
  let elapsed = elapsedOf(shared.clock);
  const look: Dated = {
    dueAt: elapsed + lookEveryMs,
    expire() {
      const asleep = shared.clock.now() - wall - (elapsedOf(shared.clock) - elapsed);
      wall = shared.clock.now();
      elapsed = elapsedOf(shared.clock);
      look.dueAt = elapsed + lookEveryMs;
      shared.deadlines.add(look);
      if (asleep > sleptMs) for (const record of shared.records.values()) void probe(record, shared);
    },
  };
  shared.deadlines.add(look);
  return { close: () => shared.deadlines.remove(look) };
}

async function probe(record: ServerRecord, shared: SharedState): Promise<void> {
  const life = record.live;
  if (life === undefined) return;
  const before = life.channel?.heard ?? 0;
  const answered = await ping(life, probeMs, shared);
  // Whatever it said meanwhile, also to others, is a sign of life.
  if (answered || record.live !== life || (life.channel?.heard ?? 0) > before) return;
  const message = `server "${record.spec.name}" answers nothing since the machine has slept; it is taken for dead`;
  shared.bus.publish({ type: "mcp.log", id: record.id, level: "warning", message });
  life.tell({ type: "health.failed", cause: { kind: "unhealthy", message } });
}
