import { fleetOf } from "../lib/fleet.mjs";
import { parameters, report } from "../lib/setup.mjs";

/**
 * What many stdio servers hold while they idle, beyond a client that has had one server, and the CPU they take. Before
 * and after, the client rests until V8 has given back the young generation that it grew for the work.
 */
const { client: name, servers } = parameters();
const restMs = 6000;
const start = await fleetOf(name);

const endFirst = await start(1);
await endFirst();
const before = (await rest()).memory;
const end = await start(servers);
const { memory, percent } = await rest();
await end();
report({
  rssKbPerServer: (memory.rss - before.rss) / 1024 / servers,
  heapKbPerServer: (memory.heapUsed - before.heapUsed) / 1024 / servers,
  idlePercent: percent,
});

async function rest() {
  globalThis.gc();
  await pause(1000);
  const cpu = process.cpuUsage();
  await pause(restMs);
  const { user, system } = process.cpuUsage(cpu);
  globalThis.gc();
  globalThis.gc();
  await pause(200);
  return { memory: process.memoryUsage(), percent: (user + system) / 10 / restMs };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
