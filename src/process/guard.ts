import { type Ledger, openLedger } from "./ledger.js";
import type { Platform } from "./platform/platform.js";
import type { Sweeper } from "./sweep.js";
import type { Tree } from "./tree.js";
import { startWatchdog, type Watchdog } from "./watchdog.js";

/** What ends our children when we cannot: the watchdog at once, the ledger at the next start. */
export interface Guard {
  /** Begins both; called before the first spawn, so that a fleet without processes has neither. */
  prepare(): void;
  /** Told when it returns; resolves when it is on the disk, too. */
  add(tree: Tree, child: GuardedChild): Promise<void>;
  gone(tree: Tree): void;
  /** With `isDone` the watchdog is dismissed; else it stays for what is left. */
  close(isDone: boolean): Promise<void>;
  readonly watchdogPid: () => number | undefined;
}

export interface GuardedChild {
  readonly server: string;
  readonly generation: number;
  /** The client of a container engine, when the child is one: its container must be ended, too. */
  readonly engine?: string;
}

export interface GuardOptions {
  readonly home: string;
  readonly run: string;
  readonly platform: Platform;
  readonly sweeper: Sweeper;
  /** Folder of the children's control groups, where containment made one. */
  readonly cgroups: string | undefined;
}

export function createGuard({ home, run, platform, sweeper, cgroups }: GuardOptions): Guard {
  let begun = false;
  let ledger: Ledger | undefined;
  let watchdog: Watchdog | undefined;

  const begin = (): void => {
    // Windows ends direct children with us by its job object; start times there cost a PowerShell each.
    if (platform.name === "windows") return;
    const self = platform.look(process.pid);
    if (self === undefined) return;
    const owner = { run, pid: self.pid, start: self.start, boot: platform.bootId() };
    ledger = tryOpen(home, cgroups === undefined ? owner : { ...owner, cgroups });
    watchdog = startWatchdog({
      run,
      ledgerPath: ledger?.path ?? "",
      cgroups: cgroups ?? "",
      onStarted: (pid) => sweeper.protect(pid),
    });
  };

  return {
    prepare() {
      if (begun) return;
      begun = true;
      begin();
    },
    async add(tree, { server, generation, engine }) {
      watchdog?.add(tree.root, tree.pipes);
      if (engine !== undefined) watchdog?.addEngine(engine);
      await ledger?.add({ ...tree.root, server, generation, ...(engine === undefined ? {} : { engine }) });
    },
    gone(tree) {
      ledger?.gone(tree.root);
      watchdog?.gone(tree.root);
    },
    async close(isDone) {
      begun = true;
      if (isDone) watchdog?.dismiss();
      await ledger?.close();
    },
    watchdogPid: () => watchdog?.pid(),
  };
}

function tryOpen(home: string, owner: Parameters<typeof openLedger>[1]): Ledger | undefined {
  try {
    return openLedger(home, owner);
  } catch {
    // A home that cannot be written must not stop supervision: the watchdog does not need it.
    return undefined;
  }
}
