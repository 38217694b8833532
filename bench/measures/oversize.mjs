import { connect, report } from "../lib/setup.mjs";

/** One answer over the limit among 15 others: who fails, how, and how much memory is held meanwhile. Needs --expose-gc. */
const megabyte = 1024 * 1024;
const limits = { messageBytes: 4 * megabyte };
const client = await connect("mcpvisor", "stdio", { limits });
await client.callTool("big", { bytes: megabyte });
globalThis.gc();
const before = process.memoryUsage();
let peak = 0;
const watch = setInterval(() => {
  // What is held, not what waits for the collector.
  globalThis.gc();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  peak = Math.max(peak, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
}, 5);
const small = Array.from({ length: 15 }, () => client.callTool("echo", { text: "x" }));
const lost = await client.callTool("big", { bytes: 64 * megabyte });
const others = await Promise.all(small);
const after = await client.callTool("echo", { text: "x" });
clearInterval(watch);
await client.close();
report({
  failure: lost.failure?.kind,
  othersOk: others.every((each) => each.ok) && after.ok,
  limitBytes: limits.messageBytes,
  peakBytes: peak,
});
