import type { PinVerdict } from "../../policy/pins.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { ToolDescriptor } from "../../tools/types.js";
import { createPinFile } from "./pinFile.js";

/** Holds tools to the definition they had when they were first used (trust on first use). */
export interface Pins {
  load(): Promise<void>;
  judge(entry: ToolEntry): PinVerdict;
  /**
   * What has to be waited for before a call is decided about: another process may have pinned the tool meanwhile.
   * Undefined when nothing can change what is known of it.
   */
  look(entry: ToolEntry): Promise<void> | undefined;
  /**
   * At a call that may run, and when a person approved a changed definition. Resolves when the pin is in the file, or
   * cannot be; undefined when it is there already. Judge again afterwards: another process may have been first.
   */
  keep(entry: ToolEntry): Promise<void> | undefined;
  shown(entry: ToolEntry): ToolDescriptor["pin"];
  /** Counts what `keep` changed, for lists that are kept. */
  revision(): number;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export function createPins(options: {
  /** The state folder; undefined keeps pins in memory only. */
  readonly home: string | undefined;
  readonly onProblem: (message: string) => void;
}): Pins {
  // By entry object: the catalog makes a new one when the definition changes, and only then.
  let verdicts = new WeakMap<ToolEntry, PinVerdict>();
  // What was pinned here stays so for this entry, whatever is pinned elsewhere later.
  const settled = new WeakSet<ToolEntry>();
  const keeping = new WeakMap<ToolEntry, Promise<void>>();
  let revision = 0;
  const file = createPinFile({
    ...options,
    onChange: () => {
      verdicts = new WeakMap();
      revision++;
    },
  });

  function judge(entry: ToolEntry): PinVerdict {
    if (settled.has(entry)) return pinned;
    const known = verdicts.get(entry);
    if (known !== undefined) return known;
    const verdict = file.judge(entry);
    verdicts.set(entry, verdict);
    return verdict;
  }

  function keep(entry: ToolEntry): Promise<void> | undefined {
    if (settled.has(entry)) return undefined;
    const open = keeping.get(entry);
    if (open !== undefined) return open;
    if (judge(entry).kind === "pinned") {
      settled.add(entry);
      return undefined;
    }
    const writing = file.add(entry);
    if (writing === undefined) {
      settled.add(entry);
      revision++;
      return undefined;
    }
    const mine = settle(entry, writing);
    keeping.set(entry, mine);
    return mine;
  }

  async function settle(entry: ToolEntry, writing: Promise<void>): Promise<void> {
    await writing;
    keeping.delete(entry);
    if (judge(entry).kind === "pinned") settled.add(entry);
    revision++;
  }

  return {
    load: () => file.load(),
    judge,
    look: (entry) => (settled.has(entry) || options.home === undefined ? undefined : file.refresh()),
    keep,
    shown: (entry) => judge(entry).kind,
    revision: () => revision,
    close: () => file.close(),
  };
}

const pinned: PinVerdict = { kind: "pinned" };
