import { parentPort, workerData } from "node:worker_threads";
import { runBlock } from "./block.js";
import type { SeedBlock } from "./block.js";

/** The thread writes there which seed it is at, for those who wait for it. */
const current = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on("message", (block: SeedBlock) => void answer(block));

async function answer(block: SeedBlock): Promise<void> {
  const report = await runBlock(block, (seed) => {
    Atomics.store(current, 0, seed);
    return true;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(report);
}
