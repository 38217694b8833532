import { measure, ofRuns } from "./lib/measure.mjs";
import { times, us } from "./lib/targets.mjs";

/** The short gate: targets 2 and 13 against SDK v1 in the same run; fails beyond twice the target, machines are noisy. */
const inFlight = [16, 64, 256];
const parameters = { kind: "stdio", clients: ["mcpvisor", "sdk"], inFlight, rounds: 5 };
const { mcpvisor, sdk } = ofRuns(3, () => measure("calls", parameters));
const layers = ofRuns(3, () => measure("layers", { rounds: 10 }));
const checks = [
  ...inFlight.map((many) => {
    const ratio = mcpvisor[many].ratio.cpu / sdk[many].ratio.cpu;
    return { what: `CPU per call, ${many} in flight, to the SDK`, got: times(ratio), ok: ratio <= 2 * 0.3 };
  }),
  { what: "CPU per call of our own layers", got: us(layers.cpu), ok: layers.cpu <= 2 * 5 },
];
for (const { what, got, ok } of checks) console.log(`${ok ? "ok  " : "FAIL"} ${what}: ${got}`);
process.exitCode = checks.every((each) => each.ok) ? 0 : 1;
