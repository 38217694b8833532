import { block, pair, sequence } from "../lib/blocks.mjs";
import { connect, parameters, report, startHttp } from "../lib/setup.mjs";

/** Calls of a small tool: each client against the floor, in pairs, at several numbers of calls in flight. */
const { kind, clients, inFlight, rounds, scale = 1 } = parameters();
const http = kind === "stdio" ? undefined : await startHttp();
const limits = { inFlight: Math.max(16, ...inFlight) };
const open = (name) => connect(name, kind, { port: http?.port, limits });
const floor = await open("floor");
const args = { text: "what is the answer" };
const result = {};
for (const name of clients) {
  const client = await open(name);
  await client.listTools();
  const runs = (each, many) => {
    const call = () => each.callTool("echo", args);
    const count = Math.ceil((kind === "stdio" ? 1 : 0.25) * scale * (many === 1 ? 300 : 3000));
    return () => (many === 1 ? sequence(call, count) : block(call, count, many));
  };
  result[name] = {};
  // The optimiser works on other threads, on the same bill: it must be done before anything counts.
  for (const each of [floor, client])
    await block(() => each.callTool("echo", args), (kind === "stdio" ? 30_000 : 6000) * scale, 16);
  for (const many of inFlight) {
    // One at a time takes ways of its own, which the calls before have not warmed.
    for (let warm = many === 1 ? 8 : 1; warm > 0; warm--)
      for (const each of [floor, client]) await runs(each, many)();
    result[name][many] = await pair(runs(floor, many), runs(client, many), rounds);
  }
  await client.close();
}
await floor.close();
http?.stop();
report(result);
