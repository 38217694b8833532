import { Worker } from "node:worker_threads";
import { replayOf, together } from "./block.js";
import type { BlockReport, SeedBlock } from "./block.js";

/** Runs blocks one at a time, away from the thread of the caller. */
export interface SeedThread {
  /** Never rejects: a seed that throws or does not end is a broken one, and the thread goes on without it. */
  run(block: SeedBlock): Promise<BlockReport>;
  close(): Promise<void>;
}

/** A seed takes some milliseconds; one that takes so long will not end. */
const stuckAfterMs = 120_000;
const lookEveryMs = 5_000;

/** Starts a thread for blocks of seeds; `script` is what runs in it (`worker.ts`). */
export function openThread(script = new URL("./worker.js", import.meta.url)): SeedThread {
  const current = new Int32Array(new SharedArrayBuffer(4));
  let worker = start(script, current);

  async function run(block: SeedBlock): Promise<BlockReport> {
    if (block.count <= 0) return together([]);
    Atomics.store(current, 0, block.first);
    const outcome = await reportOf(worker, block, current);
    return typeof outcome === "string" ? runAround(block, Atomics.load(current, 0), outcome) : outcome;
  }

  /** The thread is lost, and with it what it knew of the seeds before this one: they run again. */
  async function runAround({ first, count }: SeedBlock, seed: number, why: string): Promise<BlockReport> {
    await worker.terminate();
    worker = start(script, current);
    const broken = [{ seed, replay: replayOf(seed), rule: "ends", message: why }];
    const before = await run({ first, count: seed - first });
    const after = await run({ first: seed + 1, count: first + count - seed - 1 });
    return together([before, { ...together([]), seeds: 1, broken }, after]);
  }

  return {
    run,
    async close() {
      await worker.terminate();
    },
  };
}

function start(script: URL, current: Int32Array): Worker {
  return new Worker(script, { workerData: current.buffer });
}

/** The report of the thread, or why there will be none. */
function reportOf(worker: Worker, block: SeedBlock, current: Int32Array): Promise<BlockReport | string> {
  return new Promise((resolve) => {
    let last = block.first;
    let since = performance.now();
    const looking = setInterval(() => {
      const seed = Atomics.load(current, 0);
      if (seed !== last) since = performance.now();
      last = seed;
      if (performance.now() - since > stuckAfterMs) end(`has not ended in ${stuckAfterMs / 1000} s`);
    }, lookEveryMs);
    const end = (outcome: BlockReport | string): void => {
      clearInterval(looking);
      worker.off("message", end).off("error", threw).off("exit", left);
      resolve(outcome);
    };
    const threw = (error: Error): void => end(`threw: ${error.message}`);
    const left = (): void => end("ended its thread");
    worker.once("message", end).once("error", threw).once("exit", left);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(block);
  });
}
