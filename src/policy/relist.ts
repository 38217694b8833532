/** What is known about a server's changes of its tool list; plain data. */
export interface Relist {
  /** The least time between two walks, in milliseconds; grows while changes come quickly. */
  readonly gapMs: number;
  /** Epoch ms of the end of the last walk. */
  readonly listedAt: number;
  /** Epoch ms of the last change that was told. */
  readonly changedAt: number;
  /** When the next walk may begin; epoch ms. */
  readonly dueAt: number;
  /** Walks that failed one after the other. */
  readonly failures: number;
}

export const relistLimits = {
  minGapMs: 250,
  maxGapMs: 60_000,
  /** A change so soon after a walk may be caused by the walk: the gap doubles. */
  rapidMs: 10_000,
  /** No change for so long: the gap is small again. */
  quietMs: 60_000,
  /** From this gap on the list counts as changing too often. */
  noisyGapMs: 4_000,
  maxFailures: 3,
} as const;

export const newRelist: Relist = {
  gapMs: relistLimits.minGapMs,
  listedAt: 0,
  changedAt: 0,
  dueAt: 0,
  failures: 0,
};

/** After a walk at `now`: later changes are measured from here. */
export function listed(before: Relist, now: number): Relist {
  return { ...before, listedAt: now, failures: 0 };
}

/** After a walk that failed: try again after a longer gap. */
export function listFailed(before: Relist, now: number): Relist {
  const gapMs = double(before.gapMs);
  return { ...before, gapMs, listedAt: now, dueAt: now + gapMs, failures: before.failures + 1 };
}

/** After a told change at `now`: when the list is to be walked again. Many changes become one walk. */
export function changed(before: Relist, now: number): Relist {
  const gapMs = nextGap(before, now);
  const dueAt = Math.max(now + relistLimits.minGapMs, before.listedAt + gapMs);
  return { ...before, gapMs, changedAt: now, dueAt };
}

/** True when the last change made the list change so often that a person should know; told once per streak. */
export function becameNoisy({ gapMs }: Relist): boolean {
  return gapMs >= relistLimits.noisyGapMs && gapMs < 2 * relistLimits.noisyGapMs;
}

/** The sentence for `becameNoisy`. */
export function noisy({ gapMs }: Relist): string {
  return `its tool list changes too often; it is now read at most every ${gapMs / 1000} s`;
}

function nextGap({ gapMs, listedAt, changedAt }: Relist, now: number): number {
  if (changedAt === 0 || now - changedAt >= relistLimits.quietMs) return relistLimits.minGapMs;
  const rapid = now - listedAt < Math.max(relistLimits.rapidMs, 2 * gapMs);
  return rapid ? double(gapMs) : gapMs;
}

function double(gapMs: number): number {
  return Math.min(gapMs * 2, relistLimits.maxGapMs);
}
