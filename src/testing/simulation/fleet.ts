import type { Clock, ServerConfig } from "../../index.js";
import type { FakeScript, FakeTool } from "../fake/types.js";
import type { SeededRandom } from "../random.js";

const tools: readonly FakeTool[] = [
  { name: "echo" },
  { name: "slow", latency: [10, 4000] },
  { name: "read", latency: [0, 500], annotations: { readOnlyHint: true } },
  {
    name: "steps",
    latency: 300,
    answer(_, call) {
      call.progress(1, 2);
      return "two steps";
    },
  },
];

/** Tools of the simulated servers, by raw name. */
export const toolNames = tools.map(({ name }) => name);

/** The script of one simulated server; its entry is drawn by lot. */
export function randomScript(id: string, chance: SeededRandom, clock: Clock): FakeScript {
  const seed = chance.below(2 ** 31);
  return { id, tools, clock, seed, config: randomConfig(chance), overlaps: chance.chance(0.4) };
}

/** An entry with settings drawn by lot: short limits, so that much happens in little time. */
export function randomConfig(chance: SeededRandom): Partial<ServerConfig> {
  return {
    restart: chance.pick(["lazy", "eager", "eager", "never"]),
    lazy: chance.chance(0.2),
    timeout: chance.pick(["500ms", "2s", "3s"]),
    connectTimeout: chance.pick(["1s", "3s"]),
    retry: chance.pick(["never", "safe"]),
    limits: { inFlight: chance.pick([1, 4, 16]), queued: chance.pick([2, 64]) },
    ...(chance.chance(0.2) ? { idleTimeout: "8s" } : {}),
    ...(chance.chance(0.1) ? { maxLifetime: "20s" } : {}),
    ...(chance.chance(0.3) ? { health: "20s" } : {}),
  };
}
