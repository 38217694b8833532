import type { ServerConfig } from "../../index.js";
import type { FakeFault, FakeServer, FaultName } from "../fake/types.js";
import type { SeededRandom } from "../random.js";
import { randomConfig, toolNames } from "./fleet.js";
import type { World } from "./world.js";

type Step = (world: World, fake: FakeServer) => Promise<unknown> | void;

/** What can happen, and how often in relation to each other. */
const steps: readonly (readonly [weight: number, step: Step])[] = [
  [30, callOnce],
  [8, callMany],
  [22, ({ clock, chance }) => clock.advance(chance.below(400))],
  [8, ({ clock, chance }) => clock.advance(1000 + chance.below(9000))],
  [1, ({ clock, chance }) => clock.advance(30_000 + chance.below(90_000))],
  [8, (_, fake) => fake.crash()],
  [10, injectFault],
  [3, (_, fake) => fake.heal()],
  [3, ({ callers }) => callers.cancelOldest()],
  [2, changeTools],
  [1, (world, { id }) => order(world, id, "connect")],
  [1, (world, { id }) => order(world, id, "disconnect")],
  [2, (world, { id }) => order(world, id, "restart")],
  [2, changeConfig],
  [1, removeServer],
  [1, outage],
];

const total = steps.reduce((sum, [weight]) => sum + weight, 0);

/** Lets one thing happen, drawn by lot, and everything that follows from it without time passing. */
export async function takeStep(world: World): Promise<void> {
  const fake = world.chance.pick(world.fakes);
  let lot = world.chance.below(total);
  for (const [weight, step] of steps) {
    lot -= weight;
    if (lot >= 0) continue;
    await step(world, fake);
    return world.clock.settle();
  }
}

function callOnce({ callers, chance }: World, { id }: FakeServer): void {
  void callers.call({
    name: `mcp_${id}_${chance.pick(toolNames)}`,
    timeoutMs: chance.pick([300, 1000, 3000]),
    caller: chance.pick(["ann", "bob"]),
  });
}

function callMany(world: World, fake: FakeServer): void {
  const count = 2 + world.chance.below(20);
  for (let call = 0; call < count; call++) callOnce(world, fake);
}

function injectFault({ chance, faults }: World, fake: FakeServer): void {
  if (faults.length > 0) fake.inject(randomFault(chance.pick(faults), chance));
}

function changeTools({ chance }: World, fake: FakeServer): void {
  fake.send({ method: "notifications/tools/list_changed" });
  if (chance.chance(0.2)) fake.crash();
}

async function changeConfig({ supervisor, chance, gone }: World, { id, config }: FakeServer): Promise<void> {
  const enabled = !chance.chance(0.2);
  const retry = config.retry ?? "never";
  await supervisor.saveServer({
    ...config,
    ...randomConfig(chance),
    ...connection(config, chance),
    retry,
    enabled,
  });
  if (enabled) gone.delete(id);
  else gone.add(id);
}

/** Half of the changes are of the connection itself, and ask for a new life. */
function connection({ url }: ServerConfig, chance: SeededRandom): Partial<ServerConfig> {
  const life = String(chance.below(2));
  return url === undefined ? { args: [life] } : { headers: { "x-life": life } };
}

async function removeServer({ supervisor, gone }: World, { id }: FakeServer): Promise<void> {
  await supervisor.removeServer(id);
  gone.add(id);
}

/** From a restart of a proxy to a machine that was off for a night, in ms. */
const outagesMs = [1000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000];

/** Nobody can connect to one server, or to any of them, for a while. */
async function outage({ clock, chance, fakes, faults }: World, fake: FakeServer): Promise<void> {
  const struck = chance.chance(0.5) ? fakes : [fake];
  const ms = chance.pick(outagesMs);
  if (!faults.includes("refuse")) return;
  const ends = struck.map((each) => each.inject({ fault: "refuse" }));
  for (const each of struck) each.crash();
  await clock.advance(ms);
  for (const end of ends) end();
}

/** Orders resolve with what they led to; the simulation does not wait for that. */
function order({ supervisor }: World, id: string, what: "connect" | "disconnect" | "restart"): void {
  void supervisor.server(id)?.[what]();
}

/** Messages beside calls that faults of messages can meet. */
const moments = ["tools/call", "tools/call", "initialize", "tools/list"];
const movable: ReadonlySet<FaultName> = new Set([
  "crash-before",
  "crash-mid",
  "crash-after",
  "hang",
  "late-answer",
  "error",
  "wrong-id",
  "string-id",
  "duplicate-answer",
  "request-first",
  "list-changed-storm",
]);

/** A fault with its details drawn by lot; it happens at most a few times. */
function randomFault(fault: FaultName, chance: SeededRandom): FakeFault {
  return {
    fault,
    times: 1 + chance.below(3),
    ms: chance.pick([50, 700, 3000]),
    count: chance.pick([1, 2, 30]),
    ...(movable.has(fault) ? { on: chance.pick(moments) } : {}),
  };
}
