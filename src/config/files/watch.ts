import { createHash } from "node:crypto";
import type { FSWatcher } from "node:fs";
import { watch } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock, TimerId } from "../../clock.js";

/** A watch over files; `close` ends it, and nothing is told after that. */
export interface FileWatch {
  /** Looks at once instead of waiting for news of the file system; resolves when all changes are told. */
  check(): Promise<void>;
  close(): void;
}

export interface WatchOptions {
  readonly clock: Clock;
  /** Told with the paths whose content is not what it was, also when a file came or went. Must not throw. */
  readonly onChange: (files: readonly string[]) => void;
  /** How long it must be quiet before files are read: an editor writes in several steps. Default: 150. */
  readonly debounceMs?: number;
  /** For file systems that tell nothing (network, containers). Default: 5000. */
  readonly pollMs?: number;
}

/**
 * Watches the folders of the files, and those behind symbolic links, and compares contents. A file's own watch would
 * miss what follows an atomic rename. Watches never keep the process alive.
 */
export async function watchFiles(files: readonly string[], options: WatchOptions): Promise<FileWatch> {
  const { clock, onChange, debounceMs = 150, pollMs = 5000 } = options;
  const known = new Map<string, string>();
  for (const file of files) known.set(file, await contentHash(file));
  const folders = new Map<string, FSWatcher>();
  let closed = false;
  let quiet: TimerId;
  let checking: Promise<void> = Promise.resolve();
  let poll = clock.setTimeout(onPoll, pollMs);
  await follow();
  return {
    check,
    close() {
      closed = true;
      clock.clearTimeout(quiet);
      clock.clearTimeout(poll);
      for (const each of folders.values()) each.close();
      folders.clear();
    },
  };

  function onNews(): void {
    clock.clearTimeout(quiet);
    if (!closed) quiet = clock.setTimeout(() => void check(), debounceMs);
  }

  function onPoll(): void {
    void check();
    if (!closed) poll = clock.setTimeout(onPoll, pollMs);
  }

  function check(): Promise<void> {
    checking = checking.then(compare);
    return checking;
  }

  async function compare(): Promise<void> {
    await follow();
    const changed: string[] = [];
    for (const file of files) {
      const hash = await contentHash(file);
      if (hash !== known.get(file)) changed.push(file);
      known.set(file, hash);
    }
    if (changed.length > 0 && !closed) onChange(changed);
  }

  /** Watches folders that have come into being, or that a link points to now. */
  async function follow(): Promise<void> {
    const wanted = new Map<string, Set<string>>();
    for (const file of files) {
      for (const path of [file, await realpath(file).catch(() => file)]) {
        const names = wanted.get(dirname(path)) ?? new Set();
        wanted.set(dirname(path), names.add(basename(path)));
      }
    }
    for (const [folder, names] of wanted) if (!closed && !folders.has(folder)) begin(folder, names);
  }

  function begin(folder: string, names: ReadonlySet<string>): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) onNews();
      });
      const end = (): void => {
        // The folder is gone or cannot be watched any more: polling goes on, and finds it when it is back.
        watcher.close();
        folders.delete(folder);
      };
      watcher.on("error", end);
      folders.set(folder, watcher);
    } catch {
      // No such folder (yet), or no watches left in this system: polling is slower, and enough.
    }
  }
}

async function contentHash(file: string): Promise<string> {
  try {
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
