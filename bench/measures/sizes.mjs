import { block, median } from "../lib/blocks.mjs";
import { connect, parameters, report, startHttp } from "../lib/setup.mjs";

/** Results of growing size, one at a time: CPU and wall time per call in ms; the clients take turns. */
const { kind, clients, sizes, rounds } = parameters();
const http = kind === "stdio" ? undefined : await startHttp();
const limits = { messageBytes: 128 * 1024 * 1024 };
const open = [];
for (const name of clients) open.push([name, await connect(name, kind, { port: http?.port, limits })]);
const result = Object.fromEntries(clients.map((name) => [name, {}]));
for (const bytes of sizes) {
  // About as many bytes at each size, and always once before it counts.
  const calls = bytes >= 1e6 ? 1 : Math.ceil(1e6 / Math.max(bytes, 20_000));
  const turns = bytes >= 50e6 ? Math.min(rounds, 2) : rounds;
  const taken = Object.fromEntries(clients.map((name) => [name, { cpu: [], wall: [] }]));
  for (let turn = 0; turn <= turns; turn++) {
    for (const [name, client] of open) {
      // Quadratic clients take minutes here; their growth shows before.
      if (bytes > 10e6 && name !== "floor" && name !== "mcpvisor") continue;
      const { cpu, wall } = await block(() => client.callTool("big", { bytes }), calls, 1);
      if (turn === 0) continue;
      taken[name].cpu.push(cpu / 1000);
      taken[name].wall.push(wall / 1000);
    }
  }
  for (const name of clients) {
    const { cpu, wall } = taken[name];
    if (cpu.length > 0) result[name][bytes] = { cpu: median(cpu), wall: median(wall) };
  }
}
for (const [, client] of open) await client.close();
http?.stop();
report(result);
