import { rmSync } from "node:fs";
import { type LedgerFile, readLedgers } from "./ledger.js";
import { endRun, type RunEnd } from "./orphans.js";
import type { Identity, Platform, ProcessRow } from "../platform/platform.js";
import type { StopTools } from "../tree/stopTree.js";

export interface ReapReport {
  /** Ledgers of dead supervisors that were dealt with. */
  readonly runs: number;
  /** Processes that were found of them. */
  readonly found: readonly number[];
  readonly survivors: readonly number[];
  readonly ms: number;
}

/** A ledger of another boot or namespace may belong to somebody who is alive; after this long it is only litter. */
const litterMs = 7 * 24 * 3600 * 1000;

/**
 * Ends what supervisors left behind that died without their watchdog: children named in their ledgers, and whatever
 * carries their mark. Only ledgers of this boot and namespace count, and only if the owner (pid and start time) is
 * dead; a row whose pid has another start time or another user names nobody.
 */
export async function reapLeftovers(home: string, tools: StopTools): Promise<ReapReport> {
  const begun = tools.clock.now();
  const dead = deadLedgers(home, tools.platform, begun);
  const ends = await Promise.all(dead.map((ledger) => reapRun(ledger, tools)));
  return {
    runs: dead.length,
    found: ends.flatMap((end) => end.found),
    survivors: ends.flatMap((end) => end.survivors),
    ms: tools.clock.now() - begun,
  };
}

/** Ledgers of this machine whose owner is certainly dead. Removes what is mere litter. */
function deadLedgers(home: string, platform: Platform, now: number): readonly LedgerFile[] {
  const boot = platform.bootId();
  return readLedgers(home).filter((ledger) => {
    if (ledger.owner.boot === boot) return !isAlive(ledger.owner, platform);
    if (now - ledger.modifiedAt > litterMs) rmSync(ledger.path, { force: true });
    return false;
  });
}

async function reapRun(ledger: LedgerFile, tools: StopTools): Promise<RunEnd> {
  const { platform } = tools;
  const { run, start, cgroups } = ledger.owner;
  const roots = ledger.open.filter((child) => isAlive(child, platform) && platform.isOurs(child.pid));
  const engines = ledger.open.flatMap(({ engine }) => engine ?? []);
  const end = await endRun({ run, since: start, roots, pipes: [], cgroups, engines }, tools, false);
  if (end.survivors.length === 0 && end.isCertain) rmSync(ledger.path, { force: true });
  return end;
}

function isAlive(owner: Identity, platform: Platform): boolean {
  const row = platform.look(owner.pid);
  return row !== undefined && isSame(row, owner);
}

function isSame(row: ProcessRow, identity: Identity): boolean {
  return row.start === identity.start && !row.zombie;
}
