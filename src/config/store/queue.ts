/** Makes changes of the same thing wait for each other: each begins when the one before has ended, well or badly. */
export function createQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = afterwards(before, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

async function afterwards<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  try {
    await before;
  } catch {
    // Whoever asked for that change was told; this one goes on all the same.
  }
  return work();
}
