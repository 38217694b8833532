import { rmSync } from "node:fs";
import { adapterOf, parameters, report, stdioServer } from "../lib/setup.mjs";

/** Starts many stdio servers together, waits for their tools; then memory and CPU while they idle. */
const { client: name, servers, idleMs = 0 } = parameters();
const adapter = await adapterOf(name);
const target = { command: process.execPath, args: [stdioServer] };

// The first server loads what the client loads late; that is paid once and told apart.
const first = await timed(() => start(1));
await first.close();
globalThis.gc();
const memory = process.memoryUsage();
const { close, wallMs, cpuMs } = await timed(() => start(servers));
globalThis.gc();
const after = process.memoryUsage();
const idle = idleMs === 0 ? undefined : await rest(idleMs);
await close();
report({
  firstWallMs: first.wallMs,
  firstCpuMs: first.cpuMs,
  wallMs,
  cpuMsPerServer: cpuMs / servers,
  rssKbPerServer: (after.rss - memory.rss) / 1024 / servers,
  heapKbPerServer: (after.heapUsed - memory.heapUsed) / 1024 / servers,
  ...(idle === undefined ? {} : { idlePercent: idle }),
});

async function timed(work) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const result = await work();
  const took = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { close: result, wallMs: took, cpuMs: (user + system) / 1000 };
}

function start(count) {
  return name === "mcpvisor" ? supervised(count) : singly(count);
}

async function supervised(count) {
  const fleet = Array.from({ length: count }, (_, at) => ({ id: `s${at}`, ...target }));
  const { supervisor, home } = adapter.create(fleet);
  await supervisor.ready();
  if (supervisor.tools().length !== count * 2) throw new Error("not every server listed its tools");
  return async () => {
    await supervisor.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

async function singly(count) {
  const clients = await Promise.all(Array.from({ length: count }, open));
  return () => Promise.all(clients.map((each) => each.close()));
}

async function open() {
  const client = await adapter.connect({ kind: "stdio", ...target });
  await client.listTools();
  return client;
}

async function rest(ms) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / ms;
}
