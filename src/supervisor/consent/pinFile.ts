import { join } from "node:path";
import { readGuarded } from "../../config/files/load.js";
import { changeShared } from "../../keep/shared.js";
import { addPin, findPin, parsePins, serializePins } from "../../policy/pinStore.js";
import type { NewPin } from "../../policy/pinStore.js";
import { judgePin, pinOf } from "../../policy/pins.js";
import type { PinStore, PinVerdict } from "../../policy/pins.js";
import type { ToolEntry } from "../../tools/catalog.js";

/** A call waits for its pin: a lock that is held for longer must not hold it up. */
const waitMs = 5_000;

export interface PinFileOptions {
  /** The state folder; undefined keeps pins in memory only. */
  readonly home: string | undefined;
  readonly onProblem: (message: string) => void;
  /** Told when the pins are others than before. */
  readonly onChange: () => void;
}

/**
 * `pins.json` of a state folder, which several processes read and write. Memory is only ever a copy of what was read
 * last; a write adds to what is in the file at that moment. What cannot be written holds for this process, and is tried
 * again with the next one.
 */
export function createPinFile({ home, onProblem, onChange }: PinFileOptions) {
  const file = home === undefined ? undefined : join(home, "pins.json");
  let store: PinStore = { complete: true, servers: {} };
  const unsaved = new Map<string, NewPin>();
  let lastText: string | undefined | false = false;
  let tail: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function load(): Promise<void> {
    if (file === undefined) return;
    const found = await readGuarded(file);
    const text = found.kind === "text" ? found.text : found.kind === "absent" ? undefined : "";
    if (text === lastText) return;
    const wasComplete = store.complete;
    lastText = text;
    const read = parsePins(text);
    // Of a file that cannot be read nothing new is known: what was read before still counts.
    const base = isLost(read) ? { complete: false, servers: store.servers } : read;
    store = [...unsaved.values()].reduce(addPin, base);
    onChange();
    if (store.complete || !wasComplete) return;
    const why = found.kind === "refused" ? found.problem.message : "it is damaged or was before";
    onProblem(`${file} cannot be relied on (${why}); tools not pinned in it count as changed until approved`);
  }

  /** All pins that wait go to disk together. */
  function flush(): Promise<void> {
    return (queued ??= tail =
      tail.then(() => {
        queued = undefined;
        return write();
      }));
  }

  async function write(): Promise<void> {
    if (file === undefined || unsaved.size === 0) return;
    try {
      await changeShared(file, { waitMs }, async (held) => {
        await load();
        const batch = [...unsaved];
        const next = batch.reduce((known, [, pin]) => addPin(known, pin), store);
        const text = serializePins(next);
        if (text !== lastText) await held.write(text);
        for (const [key, pin] of batch) if (unsaved.get(key) === pin) unsaved.delete(key);
        store = next;
        lastText = text;
      });
    } catch (error) {
      store = [...unsaved.values()].reduce(addPin, store);
      onProblem(`the pins of tool definitions could not be saved to ${file}: ${String(error)}`);
    }
    onChange();
  }

  return {
    load,
    /** Sees what other processes have written since. */
    refresh: load,
    judge: ({ server, tool }: ToolEntry): PinVerdict => judgePin(findPin(store, server, tool.name), tool),
    /** Resolves when the pin is in the file, or it turned out that it cannot be; undefined without a file. */
    add({ server, tool }: ToolEntry): Promise<void> | undefined {
      const found = findPin(store, server, tool.name);
      const over = typeof found === "object" ? found.hash : found;
      const key = JSON.stringify([server, tool.name]);
      const earlier = unsaved.get(key);
      // One that could not be written yet is overtaken as a whole.
      const isOnTop = earlier !== undefined && pinOf(earlier.tool).hash === over;
      const pin = { server, tool, over: isOnTop ? earlier.over : over };
      if (file === undefined) {
        store = addPin(store, pin);
        onChange();
        return undefined;
      }
      unsaved.set(key, pin);
      return flush();
    },
    close: flush,
  };
}

function isLost({ complete, servers }: PinStore): boolean {
  return !complete && Object.keys(servers).length === 0;
}
