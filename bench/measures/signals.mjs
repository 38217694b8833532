import { getEventListeners } from "node:events";
import { block, median } from "../lib/blocks.mjs";
import { connect, parameters, report } from "../lib/setup.mjs";

/** What a timeout and a signal add to a call at 64 in flight (CPU µs), and whether one shared signal stays clean. */
const { clients, rounds } = parameters();
const result = {};
let warnings = 0;
process.on("warning", () => warnings++);
for (const name of clients) {
  warnings = 0;
  const client = await connect(name, "stdio", { limits: { inFlight: 64 } });
  await client.listTools();
  const args = { text: "x" };
  const timeout = { timeout: 30_000 };
  const kinds = {
    plain: () => client.callTool("echo", args),
    timeout: () => client.callTool("echo", args, timeout),
    // The caller's own controller is no cost of the client: the plain call beside it makes one, too.
    controller: () => (new AbortController().signal, client.callTool("echo", args)),
    signal: () => client.callTool("echo", args, { signal: new AbortController().signal }),
  };
  const taken = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, call] of Object.entries(kinds)) {
      const { cpu } = await block(call, 2000, 64);
      if (round > 0) taken[kind].push(cpu);
    }
  }
  const extra = (kind, base) => median(taken[kind].map((cpu, at) => cpu - taken[base][at]));
  const { signal } = new AbortController();
  const shared = [];
  const each = () => client.callTool("echo", args, { signal });
  for (let part = 0; part < 10; part++) shared.push((await block(each, 2000, 64)).cpu);
  result[name] = {
    plain: median(taken.plain),
    timeout: extra("timeout", "plain"),
    signal: extra("signal", "controller"),
    sharedFirst: median(shared.slice(1, 4)),
    sharedLast: median(shared.slice(-3)),
    listenersLeft: getEventListeners(signal, "abort").length,
    warnings,
  };
  await client.close();
}
report(result);
