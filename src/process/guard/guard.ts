import { type Ledger, type LedgerChild, openLedger } from "./ledger.js";
import type { Identity, Platform } from "../platform/platform.js";
import type { Sweeper } from "../tree/sweep.js";
import { startWatchdog, type Watchdog } from "./watchdog.js";

/** What ends our children when we cannot: the watchdog at once, the ledger at the next start. */
export interface Guard {
  /** Begins both; called before the first spawn, so that a fleet without processes has neither. */
  prepare(): void;
  /** Told when it returns; resolves when it is on the disk, too. */
  add(child: GuardedChild): Promise<void>;
  gone(child: Identity): void;
  /** With `isDone` the watchdog is dismissed; else it stays for what is left. */
  close(isDone: boolean): Promise<void>;
  readonly watchdogPid: () => number | undefined;
}

export interface GuardedChild extends LedgerChild {
  readonly pipes: readonly string[];
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
      since: self.start,
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
    async add({ pipes, ...child }) {
      watchdog?.add(child, pipes);
      if (child.engine !== undefined) watchdog?.addEngine(child.engine);
      await ledger?.add(child);
    },
    gone(child) {
      ledger?.gone(child);
      watchdog?.gone(child);
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
