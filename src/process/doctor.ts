import type { Platform, ProcessRow } from "./platform/platform.js";
import { currentPlatform } from "./platform/current.js";
import { type ContainmentFact, containmentsHere } from "./containment/containment.js";
import { readLedgers } from "./guard/ledger.js";
import { readMarks } from "./marker.js";
import { isSharedDaemon } from "./tree/spare.js";

/** One ledger and what has become of its supervisor. */
export interface LedgerFact {
  readonly path: string;
  readonly run: string;
  readonly ownerPid: number;
  /** `elsewhere`: written under another boot or in another process namespace. */
  readonly owner: "alive" | "dead" | "elsewhere";
  /** Children that are not noted as gone. */
  readonly children: readonly {
    readonly server: string;
    readonly generation: number;
    readonly pid: number;
  }[];
}

/** A live process that carries the mark of a run. */
export interface MarkedProcess {
  readonly pid: number;
  readonly name: string;
  readonly run: string;
  readonly server: string;
  readonly generation: number;
}

/** What is known about processes on this machine, for `mcpvisor doctor`; looking changes nothing. */
export interface DoctorFacts {
  readonly ledgers: readonly LedgerFact[];
  /** Marked processes of dead supervisors of this home: the next start ends them. */
  readonly orphans: readonly MarkedProcess[];
  /** Shared daemons among them that a start leaves alone. */
  readonly spared: readonly MarkedProcess[];
  /** Marked processes whose supervisor has no ledger in this home. */
  readonly strangers: readonly MarkedProcess[];
  readonly containment: readonly ContainmentFact[];
}

/** Looks at ledgers and processes once; some 50 ms on a machine with 300 processes. */
export async function doctorFacts(
  home: string,
  platform: Platform = currentPlatform(),
): Promise<DoctorFacts> {
  const boot = platform.bootId();
  const ledgers = readLedgers(home).map((ledger): LedgerFact => {
    const { owner } = ledger;
    const alive = platform.look(owner.pid)?.start === owner.start;
    return {
      path: ledger.path,
      run: owner.run,
      ownerPid: owner.pid,
      owner: owner.boot !== boot ? "elsewhere" : alive ? "alive" : "dead",
      children: ledger.open.map(({ server, generation, pid }) => ({ server, generation, pid })),
    };
  });
  const owners = new Map(ledgers.map((ledger) => [ledger.run, ledger.owner]));
  const marked = await markedProcesses(platform);
  const left = marked.filter((each) => owners.get(each.run) === "dead");
  return {
    ledgers,
    orphans: left.filter((each) => !isSharedDaemon(each.name)),
    spared: left.filter((each) => isSharedDaemon(each.name)),
    strangers: marked.filter((each) => !owners.has(each.run)),
    containment: containmentsHere(process.env["PATH"]),
  };
}

async function markedProcesses(platform: Platform): Promise<readonly MarkedProcess[]> {
  // The young are shown twice.
  const found = new Map<number, readonly MarkedProcess[]>();
  const visit = (row: ProcessRow): void => {
    if (row.zombie || row.pid === process.pid) return;
    const marks = readMarks(platform.marker(row) ?? "");
    found.set(
      row.pid,
      marks.map((mark) => ({ pid: row.pid, name: row.name, ...mark })),
    );
  };
  await platform.scan(visit, () => false);
  return [...found.values()].flat();
}
