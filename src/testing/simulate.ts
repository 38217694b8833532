import type { Fact } from "../index.js";
import type { FakeServer } from "./fake/types.js";
import type { Violation } from "./invariants.js";
import { takeStep } from "./simulation/steps.js";
import { openWorld } from "./simulation/openWorld.js";
import type { SimulationPlan } from "./simulation/plan.js";

/** What came of a simulation. */
export interface SimulationReport {
  /** The seed of the plan. */
  readonly seed: number;
  /** Everything the supervisor told, in order. */
  readonly facts: readonly Fact[];
  /** Promises that were broken; empty is what one hopes for. */
  readonly violations: readonly Violation[];
  /** Calls that were made. */
  readonly calls: number;
  /** How long it took in simulated milliseconds. */
  readonly ms: number;
  /** Faults that really happened, by name. */
  readonly reached: Readonly<Record<string, number>>;
  /** One line that gives the same run again. */
  readonly replay: string;
}

/**
 * Runs a whole supervisor (its real machines, calls and bus) on a simulated clock against fake servers in memory:
 * `steps` random things happen, then the faults end, everything must recover, and it is stopped. The same plan gives
 * the same facts byte for byte. Nothing touches disk, processes or sockets.
 */
export async function simulate(plan: SimulationPlan): Promise<SimulationReport> {
  const world = await openWorld(plan);
  const startedAt = world.clock.now();
  for (let step = 0; step < (plan.steps ?? 60); step++) await takeStep(world);
  await world.recover();
  await world.stop();
  return {
    seed: plan.seed,
    facts: world.facts,
    violations: world.violations(),
    calls: world.callers.count,
    ms: world.clock.now() - startedAt,
    reached: reachedBy(world.fakes),
    replay: replayOf(plan),
  };
}

function reachedBy(fakes: readonly FakeServer[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { reached } of fakes) {
    for (const [name, count] of reached) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

function replayOf({ seed, steps, servers, faults }: SimulationPlan): string {
  const told = { seed, steps, servers: typeof servers === "object" ? servers.length : servers, faults };
  return `simulate(${JSON.stringify(told)})`;
}
