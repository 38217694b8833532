import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EraMemory } from "../../actors/lifePorts.js";
import { changeShared } from "../../keep/shared.js";
import { ensureHome } from "../../config/files/home.js";
import type { Era } from "../../protocol/negotiation.js";

/** The era of each configuration, kept over restarts in `eras.json` of the state folder. */
export interface Eras extends EraMemory {
  /** Resolves when everything that was told is in the file; what is told later is not kept. */
  close(): Promise<void>;
}

const mostKept = 1000;
/** An era is not worth a longer wait for another process. */
const waitMs = 5_000;

/**
 * Reads the file with each question, because other processes write it, too. A file that cannot be read or written costs a probe per connection and
 * nothing else, so neither is an error.
 */
export function createEras(home: string | undefined): Eras {
  return home === undefined ? forgetful() : kept(home);
}

function kept(home: string): Eras {
  const file = join(home, "eras.json");
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function save(fingerprint: string, era: Era | undefined): Promise<void> {
    if ((await load(file)).get(fingerprint) === era) return;
    await ensureHome(home);
    await changeShared(file, { waitMs }, async (held) => {
      // What other processes have found out meanwhile stays.
      const eras = await load(file);
      eras.delete(fingerprint);
      if (era !== undefined) eras.set(fingerprint, era);
      for (const oldest of eras.keys()) {
        if (eras.size <= mostKept) break;
        eras.delete(oldest);
      }
      await held.write(`${JSON.stringify(Object.fromEntries(eras), null, 2)}\n`);
    });
  }

  return {
    async known(fingerprint) {
      return (await load(file)).get(fingerprint);
    },
    remember(fingerprint, era) {
      if (!isClosed) saving = saving.then(() => save(fingerprint, era)).catch(() => undefined);
    },
    close() {
      isClosed = true;
      return saving;
    },
  };
}

async function load(file: string): Promise<Map<string, Era>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    const known = Object.entries(value ?? {}).filter(
      (each): each is [string, Era] => each[1] === "legacy" || each[1] === "modern",
    );
    return new Map(known);
  } catch {
    // Not there yet, or damaged: the eras are found out again.
    return new Map();
  }
}

/** Nothing outlives the supervisor. */
function forgetful(): Eras {
  const eras = new Map<string, Era | undefined>();
  return {
    known: (fingerprint) => Promise.resolve(eras.get(fingerprint)),
    remember: (fingerprint, era) => void eras.set(fingerprint, era),
    close: () => Promise.resolve(),
  };
}
