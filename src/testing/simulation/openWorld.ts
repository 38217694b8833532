import { createSupervisor } from "../../index.js";
import type { Clock, Fact } from "../../index.js";
import { fakeServer, fleetOf } from "../fakeServer.js";
import type { FakeScript, FaultName } from "../fake/types.js";
import { createInvariants } from "../invariants.js";
import { seededRandom } from "../random.js";
import type { SeededRandom } from "../random.js";
import type { SimulationPlan } from "./plan.js";
import { simulatedClock } from "../simulatedClock.js";
import { Callers } from "./callers.js";
import { countedClock } from "./countedClock.js";
import { recover, stop } from "./ending.js";
import { randomScript } from "./fleet.js";
import { Lives } from "./lives.js";
import type { World } from "./world.js";

/** Nothing is ever read or written there. */
const nowhere = "/nonexistent/mcpvisor-simulation";

/** What a server in memory can have, in the order in which seeds draw from it: new ones come last. */
export const inMemory: readonly FaultName[] = [
  "refuse",
  "crash-before",
  "crash-mid",
  "crash-after",
  "hang",
  "late-answer",
  "error",
  "wrong-id",
  "string-id",
  "duplicate-answer",
  "bad-version",
  "schema-lie",
  "endless-pages",
  "same-cursor",
  "endless-progress",
  "list-changed-storm",
  "request-first",
  "slow-close",
  "survivors",
  "session-expiry",
];

export async function openWorld(plan: SimulationPlan): Promise<World> {
  const chance = seededRandom(plan.seed);
  const clock = simulatedClock();
  const fakes = await Promise.all(scripts(plan, chance, clock).map((script) => fakeServer(script)));
  const engineClock = countedClock(clock);
  const supervisor = createSupervisor({
    ...fleetOf(...fakes),
    mode: "allow-trusted",
    clock: engineClock,
    random: chance.fork().next,
    home: nowhere,
    remember: false,
    handleSignals: false,
  });
  const facts: Fact[] = [];
  const invariants = createInvariants();
  const watched = new Lives(fakes);
  supervisor.events$.subscribe((fact) => {
    facts.push(fact);
    invariants.see(fact);
    watched.see(fact);
  });
  const callers = new Callers(supervisor, fakes, clock);
  await supervisor.start();
  await clock.settle();
  const left = () => ({
    connections: fakes.reduce((total, { lives }) => total + lives, 0),
    timers: engineClock.pending,
  });
  const world: World = {
    chance,
    clock,
    supervisor,
    fakes,
    callers,
    gone: new Set(),
    faults: plan.faults ?? inMemory,
    facts,
    violations: () => [...invariants.violations, ...callers.violations, ...watched.violations],
    recover: () => recover(world, invariants),
    stop: () => stop(world, invariants, left),
  };
  return world;
}

function scripts({ servers = 3 }: SimulationPlan, chance: SeededRandom, clock: Clock): FakeScript[] {
  if (typeof servers !== "number") return servers.map((script) => ({ ...script, over: "memory", clock }));
  return Array.from({ length: servers }, (_, at) => randomScript(`s${at + 1}`, chance, clock));
}
