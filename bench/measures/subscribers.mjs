import { block, median } from "../lib/blocks.mjs";
import { connect, parameters, report } from "../lib/setup.mjs";

/** CPU µs per call at 64 in flight by the number of subscribers to `events$`; the numbers take turns. */
const { counts, rounds, calls } = parameters();
const client = await connect("mcpvisor", "stdio", { limits: { inFlight: 64 } });
await client.listTools();
const call = () => client.callTool("echo", { text: "what is the answer" });
await block(call, 10 * calls, 64);
const taken = new Map(counts.map((count) => [count, []]));
let heard = 0;
for (let round = 0; round <= rounds; round++) {
  for (const count of counts) {
    const open = Array.from({ length: count }, () => client.supervisor.events$.subscribe(() => heard++));
    const { cpu } = await block(call, calls, 64);
    for (const each of open) each.unsubscribe();
    if (round > 0) taken.get(count).push(cpu);
  }
}
await client.close();
const expected = counts.reduce((sum, count) => sum + count, 0) * (rounds + 1) * calls * 2;
if (heard !== expected) throw new Error(`${heard} facts were heard, not ${expected}`);
report(Object.fromEntries([...taken].map(([count, cpu]) => [count, median(cpu)])));
