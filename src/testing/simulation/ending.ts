import { isServing } from "../../index.js";
import type { Invariants } from "../invariants.js";
import type { World } from "./world.js";

/** 5 s and the longest back-off. */
const recoverWithinMs = 35_000;
const stopWithinMs = 60_000;

/** Ends all faults and waits until every server has served again, as callers that keep trying see it. */
export async function recover(world: World, invariants: Invariants): Promise<void> {
  const { fakes, clock, supervisor } = world;
  for (const fake of fakes) fake.heal();
  const lastFaultAt = clock.now();
  for (const { id, config } of fakes) {
    if (world.gone.has(id)) await supervisor.saveServer({ ...config, enabled: true });
  }
  for (let waited = 0; waited <= recoverWithinMs && nudge(world); waited += 1000) await clock.advance(1000);
  for (const { id } of fakes) await world.callers.mustWork(`mcp_${id}_echo`, clock);
  invariants.checkRecovery({ healthy: fakes.map(({ id }) => id), lastFaultAt, recoverWithinMs });
}

/** Calls each server that does not serve; false when all of them do. */
function nudge({ supervisor, callers }: World): boolean {
  const down = supervisor.servers().filter(({ state }) => !isServing(state));
  for (const { id, state, toolCount } of down) {
    // A call neither looks for a process that cannot be ended nor finds a tool that was never listed; a person does.
    if (state === "stuck" || toolCount === 0) void supervisor.server(id)?.connect();
    else void callers.call({ name: `mcp_${id}_echo`, timeoutMs: 500 });
  }
  return down.length > 0;
}

/** Stops the supervisor; nothing may be left of it. */
export async function stop(
  world: World,
  invariants: Invariants,
  left: () => Readonly<Record<string, number>>,
): Promise<void> {
  const stopping = { done: false };
  const stopped = world.supervisor.stop().finally(() => {
    stopping.done = true;
  });
  for (let waited = 0; !stopping.done && waited < stopWithinMs; waited += 500) await world.clock.advance(500);
  if (stopping.done) await stopped;
  world.callers.finish();
  invariants.finish({ left: { "supervisors that did not stop": stopping.done ? 0 : 1, ...left() } });
}
