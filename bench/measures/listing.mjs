import { block, pair } from "../lib/blocks.mjs";
import { connect, parameters, report, startHttp } from "../lib/setup.mjs";

/** Connecting to one HTTP server and listing its tools, until they are usable: CPU per connection, in pairs. */
const { clients, tools, outputSchema, rounds } = parameters();
const env = { BENCH_TOOLS: String(tools), BENCH_OUTPUT_SCHEMA: outputSchema ? "1" : "0" };
const http = await startHttp(env);
const limits = { tools: 20_000, pages: 1000 };
const result = {};
const listed = async (name) => {
  const client = await connect(name, "json", { port: http.port, limits });
  return { client, count: (await client.listTools()).length };
};
const whole = async (name) => {
  const { client, count } = await listed(name);
  if (count !== tools) throw new Error(`${name} listed ${count} of ${tools} tools`);
  await client.close();
};
/** A supervised server reconnects in place; its supervisor stays. */
const supervised = (await listed("mcpvisor")).client;
const relist = async () => {
  if ((await supervised.relist()).length !== tools) throw new Error("tools are missing");
};
const run = (name) => () => block(name === "mcpvisor" ? relist : () => whole(name), 3, 1);
for (const name of clients) {
  for (const each of ["floor", name]) await run(each)();
  const { a, b, ratio } = await pair(run("floor"), run(name), rounds);
  result[name] = { floorMs: a.cpu / 1000, ms: b.cpu / 1000, ratio: ratio.cpu };
}
await supervised.close();
http.stop();
report(result);
