import { ConfigError } from "../../errors.js";
import { LockError } from "../../keep/lock.js";
import type { HeldFile } from "../../keep/shared.js";
import { changeShared } from "../../keep/shared.js";

/** Somebody waits for it. */
const waitMs = 20_000;

/** Changes a file while no other process does; ConfigError when another one holds it for longer than 20 s. */
export async function inTurn<T>(file: string, work: (held: HeldFile) => Promise<T>): Promise<T> {
  try {
    return await changeShared(file, { waitMs }, work);
  } catch (error) {
    if (error instanceof LockError) throw new ConfigError(`${file} was not changed: ${error.message}`);
    throw error;
  }
}
