import { ping } from "../../actors/ping.js";
import { elapsedOf } from "../../clock.js";
import type { Dated } from "../../rpc/deadlines.js";
import type { Desk } from "../state/sharedState.js";
import type { Unit } from "../state/serverRecord.js";

/** How often is looked, and how far the two clocks must be apart: daylight and small corrections are no sleep. */
const lookEveryMs = 30_000;
const sleptMs = 20_000;
const probeMs = 10_000;

/**
 * Notices that the machine has slept: its wall clock has gone on, its monotonic clock has not. Connections may be dead
 * without a word then, so each serving one is probed once; one that answers nothing ends and is looked after like any
 * other fault.
 */
export function watchSleep(desk: Desk): { close(): void } {
  let wall = desk.clock.now();
  let elapsed = elapsedOf(desk.clock);
  const look: Dated = {
    dueAt: elapsed + lookEveryMs,
    expire() {
      const asleep = desk.clock.now() - wall - (elapsedOf(desk.clock) - elapsed);
      wall = desk.clock.now();
      elapsed = elapsedOf(desk.clock);
      look.dueAt = elapsed + lookEveryMs;
      desk.deadlines.add(look);
      if (asleep > sleptMs) for (const unit of desk.units.values()) void probe(unit, desk);
    },
  };
  desk.deadlines.add(look);
  return { close: () => desk.deadlines.remove(look) };
}

async function probe(unit: Unit, desk: Desk): Promise<void> {
  const life = unit.live;
  if (life === undefined) return;
  const before = life.channel?.heard ?? 0;
  const answered = await ping(life, probeMs, desk);
  // Whatever it said meanwhile, also to others, is a sign of life.
  if (answered || unit.live !== life || (life.channel?.heard ?? 0) > before) return;
  const message = `server "${unit.spec.name}" answers nothing since the machine has slept; it is taken for dead`;
  desk.bus.publish({ type: "mcp.log", id: unit.id, level: "warning", message });
  life.tell({ type: "health.failed", cause: { kind: "unhealthy", message } });
}
