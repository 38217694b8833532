import { fleetOf } from "../lib/fleet.mjs";
import { parameters, report } from "../lib/setup.mjs";

/** Starts many stdio servers together and waits for their tools: wall time and CPU of the client. */
const { client: name, servers } = parameters();
const start = await fleetOf(name);

// The first server loads what the client loads late; that is paid once and told apart.
const first = await timed(() => start(1));
await first.close();
globalThis.gc();
const { close, wallMs, cpuMs } = await timed(() => start(servers));
await close();
report({ firstWallMs: first.wallMs, firstCpuMs: first.cpuMs, wallMs, cpuMsPerServer: cpuMs / servers });

async function timed(work) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const result = await work();
  const tookMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { close: result, wallMs: tookMs, cpuMs: (user + system) / 1000 };
}
