/** Longest delay a Node timer can hold; a longer one would fire at once. */
export const maxDelayMs = 2 ** 31 - 1;

export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  readonly floorMs: number;
}

export const defaultBackoff: BackoffOptions = { baseMs: 500, capMs: 30_000, floorMs: 100 };

/**
 * Milliseconds to wait before try number `attempt` (1 is the first after a failure): the last quarter of a doubling
 * window, by chance, so that servers that went down together do not come back in one moment, and yet no luck makes many
 * tries of a short time. Capped, never shorter than the floor or than `previousMs` (so that gaps never shrink). `random`
 * is in [0, 1).
 */
export function backoff(
  attempt: number,
  random: number,
  previousMs = 0,
  options: BackoffOptions = defaultBackoff,
): number {
  // 2 ** 30 is far over any cap and keeps the product finite.
  const doubled = options.baseMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 30);
  const window = Math.min(doubled, options.capMs);
  const jittered = Math.floor(window * (0.75 + random / 4));
  return clampDelay(Math.min(Math.max(jittered, options.floorMs, previousMs), options.capMs));
}

/** A delay that a timer can hold: not negative, below 2^31 ms; what is no number becomes the longest. */
export function clampDelay(delayMs: number): number {
  if (Number.isNaN(delayMs)) return maxDelayMs;
  return Math.min(Math.max(delayMs, 0), maxDelayMs);
}
