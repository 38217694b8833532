import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { writeAtomic } from "./atomic.js";
import type { LockOptions } from "./lock.js";
import { withLock } from "./lock.js";

/** A file that several processes change, while it is this one's turn. */
export interface HeldFile {
  /**
   * Replaces the file as a whole (see `writeAtomic`). Throws LockError, with nothing written, when the lock was lost
   * to another process meanwhile.
   */
  write(text: string, mode?: number): Promise<void>;
}

/**
 * Runs `work` while no other process, and nothing else of this one, changes the file. What is written must come of
 * what was read inside of `work`: a picture from before may undo what somebody else has kept. The lock lies beside the
 * file that is really meant, whatever link leads there. LockError when it cannot be had in time (default 60 s).
 */
export async function changeShared<T>(
  file: string,
  options: LockOptions,
  work: (held: HeldFile) => Promise<T>,
): Promise<T> {
  return inTurn(resolve(file), async () =>
    withLock(`${await realFile(file)}.lock`, options, (lock) =>
      work({
        write: (text, mode) => writeAtomic(file, text, mode, () => lock.check()),
      }),
    ),
  );
}

/** The file that is meant, also when it does not exist yet: two ways to it must not have two locks. */
async function realFile(file: string): Promise<string> {
  const folder = dirname(file);
  return realpath(file).catch(async () => join(await realpath(folder).catch(() => folder), basename(file)));
}

const last = new Map<string, Promise<unknown>>();

/** Within one process changes wait in the order in which they came, instead of looking for the lock again and again. */
async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = afterwards(last.get(key), work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}

async function afterwards<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  try {
    await before;
  } catch {
    // Whoever asked for that change was told; this one goes on all the same.
  }
  return work();
}
