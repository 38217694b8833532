import { block } from "../lib/blocks.mjs";
import { connect, parameters, report } from "../lib/setup.mjs";

/** Heap kept per call, with one shared signal and with subscribers that come and go. Needs --expose-gc. */
const { calls } = parameters();
const client = await connect("mcpvisor", "stdio", { limits: { inFlight: 64 } });
const { signal } = new AbortController();
let count = 0;
let subscription;
const call = () => {
  if (++count % 100 === 0) {
    subscription?.unsubscribe();
    subscription = client.supervisor.events$.subscribe(() => {});
  }
  return client.callTool("echo", { text: "x" }, { signal });
};
await block(call, 20_000, 64);
globalThis.gc();
const before = process.memoryUsage().heapUsed;
await block(call, calls, 64);
globalThis.gc();
const bytes = (process.memoryUsage().heapUsed - before) / calls;
await client.close();
report({ calls, bytesPerCall: bytes });
