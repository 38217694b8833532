// What a call costs at each front; all are measured in turns, so that what else the machine does falls on all of them.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "../lib/blocks.mjs";
import { cpuOf, memoryOf, names, startFront } from "../gateway/fronts.mjs";
import { clientOf, run } from "../gateway/load.mjs";

const { rounds = 5, calls = 3000 } = JSON.parse(process.argv[2] ?? "{}");
const figures = { fronts: {}, stdio: {}, idleKb: 0, searchMs: 0 };

const fronts = [];
for (const name of names) {
  try {
    const front = await startFront(name);
    const client = clientOf(front);
    await client.open();
    await run(() => client.call(), 1500, 64);
    fronts.push({ ...front, client, seen: { p50: [], cpu1: [], cpu64: [], perSecond: [] } });
  } catch (error) {
    process.stderr.write(`${name} is left out: ${error.message}\n`);
  }
}
for (let round = 0; round < rounds; round++)
  for (const { client, pid, seen } of fronts) {
    const one = Math.ceil(calls / 10);
    let cpu = cpuOf(pid);
    seen.p50.push(median(await run(() => client.call(), one, 1)));
    seen.cpu1.push(((cpuOf(pid) - cpu) * 1000) / one);
    cpu = cpuOf(pid);
    const start = performance.now();
    await run(() => client.call(), calls, 64);
    seen.perSecond.push((calls * 1000) / (performance.now() - start));
    seen.cpu64.push(((cpuOf(pid) - cpu) * 1000) / calls);
  }
for (const { name, pid, seen, client, stop } of fronts) {
  const middles = Object.fromEntries(Object.entries(seen).map(([key, all]) => [key, median(all)]));
  figures.fronts[name] = { ...middles, rss: memoryOf(pid) };
  client.close();
  await stop();
}
figures.stdio = await overStdio();
figures.idleKb = await idle();
figures.searchMs = await search();
console.log(JSON.stringify(figures));

/** A front that carries lines to a service, beside the server itself over the same pipe: ms per call at 64 in flight. */
async function overStdio() {
  const service = await startFront("gateway");
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const ways = {
    direct: pipe([join(import.meta.dirname, "../servers/stdio.mjs")], "echo"),
    front: pipe([main, "serve", "--stdio", "--as", "bench", "--home", service.home], "bench__echo"),
  };
  const found = { direct: [], front: [] };
  for (const way of Object.values(ways)) await way.open();
  for (const way of Object.values(ways)) await run(way.call, 1000, 64);
  for (let round = 0; round < rounds; round++)
    for (const [name, way] of Object.entries(ways)) {
      const start = performance.now();
      await run(way.call, calls, 64);
      found[name].push((performance.now() - start) / calls);
    }
  for (const way of Object.values(ways)) way.close();
  await service.stop();
  return { direct: median(found.direct), front: median(found.front) };
}

function pipe(args, tool) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  const open = new Map();
  let count = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id } = JSON.parse(line);
    open.get(id)?.();
    open.delete(id);
  });
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = ++count;
      open.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  return {
    open: () =>
      ask("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "b", version: "1" },
      }),
    call: () => ask("tools/call", { name: tool, arguments: { text: "a few words to send along" } }),
    close: () => child.kill(),
  };
}

/** What a hundred consumers hold that are connected and silent, in KB each. */
async function idle() {
  const front = await startFront("gateway", ["--expose-gc"]);
  const heap = () =>
    new Promise((resolve) => {
      front.child.once("message", ({ heap: bytes }) => resolve(bytes));
      front.child.send("heap");
    });
  const open = async (many) => {
    const all = Array.from({ length: many }, () => clientOf(front));
    for (const each of all) await each.open();
    for (const each of all) each.close();
  };
  await open(20);
  const before = await heap();
  await open(100);
  const kb = ((await heap()) - before) / 100 / 1024;
  await front.stop();
  return kb;
}

/** One search over 5,000 tools through the whole exchange, in ms. */
async function search() {
  process.env.BENCH_TOOLS = "5000";
  const front = await startFront("gateway");
  const times = [];
  for (const query of ["tool 4711", "looks up a link", "size of 123", "number kind"]) {
    const client = clientOf({ ...front, tool: "search_tools", args: { query }, answer: "bench__tool" });
    await client.open();
    await client.call();
    for (const ms of await run(() => client.call(), 40, 1)) times.push(ms);
    client.close();
  }
  await front.stop();
  return median(times);
}
