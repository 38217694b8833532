import { block, median } from "../lib/blocks.mjs";
import { connect, parameters, report, startHttp } from "../lib/setup.mjs";

/**
 * Listing the tools of an HTTP server until they are usable, connecting left out: what a connection to a server of many
 * tools costs in CPU beyond one to a server of two, for the floor and for a client, taken in turns. A supervised server
 * reconnects in place.
 */
const { clients, tools, outputSchema, rounds } = parameters();
const few = 2;
const runs = Math.max(3, Math.min(10, Math.ceil(5000 / tools)));
const limits = { tools: 20_000, pages: 1000 };
const servers = new Map();
for (const count of [few, tools]) {
  const env = { BENCH_TOOLS: String(count), BENCH_OUTPUT_SCHEMA: outputSchema ? "1" : "0" };
  servers.set(count, await startHttp(env));
}
const result = {};
for (const name of clients) {
  const floor = { few: await lister("floor", few), many: await lister("floor", tools) };
  const client = { few: await lister(name, few), many: await lister(name, tools) };
  for (const each of [floor, client]) await listCost(each);
  const costs = { floor: [], client: [] };
  for (let round = 0; round < rounds; round++) {
    for (const who of ["floor", "client", "client", "floor"])
      costs[who].push(await listCost(who === "floor" ? floor : client));
  }
  await client.few.close();
  await client.many.close();
  const floorMs = median(costs.floor);
  const ms = median(costs.client);
  result[name] = { floorMs, ms, ratio: ms / floorMs };
}
for (const http of servers.values()) http.stop();
report(result);

/** Something that connects to a server of so many tools and lists them, time after time. */
async function lister(name, count) {
  const open = () => connect(name, "json", { port: servers.get(count).port, limits });
  const check = (list) => {
    if (list.length !== count) throw new Error(`${name} listed ${list.length} of ${count} tools`);
  };
  if (name === "mcpvisor") {
    const supervised = await open();
    return { run: async () => check(await supervised.relist()), close: () => supervised.close() };
  }
  const run = async () => {
    const client = await open();
    check(await client.listTools());
    await client.close();
  };
  return { run, close: async () => {} };
}

async function listCost({ few: small, many }) {
  const base = await block(small.run, runs, 1);
  const whole = await block(many.run, runs, 1);
  return (whole.cpu - base.cpu) / 1000;
}
