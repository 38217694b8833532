import { setTimeout as sleep } from "node:timers/promises";

/**
 * Resolves after so many milliseconds, or at once when the signal fires; never rejects.
 * Unlike the engine's clock it keeps the process alive: a command that waits is not done.
 */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  // The only possible rejection is the abort, which is one of the two awaited ends.
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Resolves when the signal fires, and keeps the process alive until then. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  // A day, because Node cuts timers at 2^31 ms.
  while (!signal.aborted) await wait(86_400_000, signal);
}

/** Runs `tick` every so many milliseconds until the signal fires. */
export async function every(ms: number, signal: AbortSignal, tick: () => void): Promise<void> {
  while (!signal.aborted) {
    await wait(ms, signal);
    if (!signal.aborted) tick();
  }
}

/**
 * A signal that fires with the given one, or after so many milliseconds. Not made of AbortSignal.any and
 * AbortSignal.timeout: Node 20 may collect such a timeout as garbage, and then it never fires.
 */
export function within(ms: number, signal: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    limit.abort();
  };
  const timer = setTimeout(end, ms);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return limit.signal;
}
