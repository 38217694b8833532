import { simulate } from "../testing/index.js";
import { print, say } from "./context.js";
import type { Context } from "./context.js";
import { exitCodes } from "./exitCodes.js";
import { jsonText } from "./visible.js";

const tellEvery = 1000;

/** Runs the simulation with so many seeds; each broken promise is one line that replays it. */
export async function simulateSeeds(
  context: Context,
  first: number,
  count: number,
  json: boolean,
): Promise<number> {
  const { signal } = context.interrupts;
  const sum = { seeds: 0, broken: 0, calls: 0, facts: 0, simulatedHours: 0 };
  for (let seed = first; seed < first + count && !signal.aborted; seed++) {
    const report = await simulate({ seed, steps: 16, servers: 1 + (seed % 2) });
    sum.seeds++;
    sum.calls += report.calls;
    sum.facts += report.facts.length;
    sum.simulatedHours += report.ms / 3_600_000;
    if (report.violations.length > 0) sum.broken++;
    for (const { rule, message } of report.violations) say(context, `${report.replay}: ${rule}: ${message}`);
    if (sum.seeds % tellEvery === 0) say(context, `${sum.seeds} of ${count} seeds, ${sum.broken} broken`);
  }
  const hours = Math.round(sum.simulatedHours);
  print(
    context,
    json
      ? jsonText({ type: "mcpvisor.simulated", ...sum, simulatedHours: hours })
      : `${sum.seeds} seeds from ${first}: ${sum.calls} calls, ${sum.facts} facts, ${hours} simulated hours; ${sum.broken} broken`,
  );
  return sum.broken === 0 ? exitCodes.ok : exitCodes.failed;
}
