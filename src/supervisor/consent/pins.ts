import { join } from "node:path";
import type { Clock } from "../../clock.js";
import { writeAtomic } from "../../keep/atomic.js";
import { readGuarded } from "../../config/files/load.js";
import { findPin, parsePins, serializePins, withPin } from "../../policy/pinStore.js";
import { judgePin } from "../../policy/pins.js";
import type { PinStore, PinVerdict } from "../../policy/pins.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { ToolDescriptor } from "../../tools/types.js";

/** Holds tools to the definition they had when they were first used (trust on first use). */
export interface Pins {
  load(): Promise<void>;
  judge(entry: ToolEntry): PinVerdict;
  /** At a call that may run, and when a person approved a changed definition. */
  keep(entry: ToolEntry): void;
  shown(entry: ToolEntry): ToolDescriptor["pin"];
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** Pins of one burst of first calls go to disk together. */
const saveAfterMs = 100;

export function createPins(options: {
  /** The state folder; undefined keeps pins in memory only. */
  readonly home: string | undefined;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}): Pins {
  const file = options.home === undefined ? undefined : join(options.home, "pins.json");
  let store: PinStore = { complete: true, servers: {} };
  // By entry object: the catalog makes a new one when the definition changes, and only then.
  const verdicts = new WeakMap<ToolEntry, PinVerdict>();
  const kept = new WeakSet<ToolEntry>();
  let unsaved = false;
  let saving: Promise<void> = Promise.resolve();

  function judge(entry: ToolEntry): PinVerdict {
    const known = verdicts.get(entry);
    if (known !== undefined) return known;
    const verdict = judgePin(findPin(store, entry.server, entry.tool.name), entry.tool);
    verdicts.set(entry, verdict);
    return verdict;
  }

  function keep(entry: ToolEntry): void {
    if (kept.has(entry)) return;
    kept.add(entry);
    if (judge(entry).kind === "pinned") return;
    store = withPin(store, entry.server, entry.tool);
    verdicts.set(entry, pinned);
    if (unsaved || file === undefined) return;
    unsaved = true;
    options.clock.setTimeout(save, saveAfterMs);
  }

  function save(): void {
    if (!unsaved || file === undefined) return;
    unsaved = false;
    const text = serializePins(store);
    saving = saving
      .then(() => writeAtomic(file, text))
      .catch((error: unknown) => {
        options.onProblem(`the pins of tool definitions could not be saved to ${file}: ${String(error)}`);
      });
  }

  return {
    async load() {
      if (file === undefined) return;
      const found = await readGuarded(file);
      store = parsePins(found.kind === "text" ? found.text : found.kind === "absent" ? undefined : "");
      if (store.complete) return;
      const why = found.kind === "refused" ? found.problem.message : "it is damaged or was before";
      options.onProblem(
        `${file} cannot be relied on (${why}); tools not pinned in it count as changed until approved`,
      );
    },
    judge,
    keep,
    shown: (entry) => judge(entry).kind,
    async close() {
      save();
      await saving;
    },
  };
}

const pinned: PinVerdict = { kind: "pinned" };
