import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type Engine, engineEnv } from "../containers/engine.js";
import type { Identity } from "../platform/platform.js";

/** The supervisor that a ledger belongs to. */
export interface LedgerOwner extends Identity {
  readonly run: string;
  /** Boot and process namespace in which the pids of this ledger mean something. */
  readonly boot: string;
  /** Folder of the control groups of its children, where there were any. */
  readonly cgroups?: string;
}

/** A child as it was started; it may be gone or have left descendants. */
export interface LedgerChild extends Identity {
  readonly server: string;
  readonly generation: number;
  /** The container engine that runs its container. */
  readonly engine?: Engine;
}

export interface LedgerFile {
  readonly path: string;
  readonly owner: LedgerOwner;
  /** Children without a note that their whole tree is gone. */
  readonly open: readonly LedgerChild[];
  readonly modifiedAt: number;
}

/** What a supervisor has started, kept on disk so that a later run can end what this one leaves behind. */
export interface Ledger {
  readonly path: string;
  /**
   * Written when it returns, which outlives this process; resolves when it is on the disk (fdatasync), false when the
   * disk refused. Children of one turn share one fdatasync.
   */
  add(child: LedgerChild): Promise<boolean>;
  /** Nothing of this child's tree is left. Nobody waits for the disk: a row that is lost names a pid that is gone. */
  gone(child: Identity): void;
  /** Removes the file when every child is gone, keeps it for the reaper otherwise. */
  close(): Promise<void>;
}

export function ledgerFolder(home: string): string {
  return join(home, "processes");
}

/** Begins the ledger of one run: a new file, readable by us only. Throws what the file system throws. */
export function openLedger(home: string, owner: LedgerOwner): Ledger {
  mkdirSync(ledgerFolder(home), { recursive: true, mode: 0o700 });
  const path = join(ledgerFolder(home), `${owner.run}.ledger`);
  const file = openSync(path, "ax", 0o600);
  const open = new Map<number, string>();
  let closed = false;

  let syncing: Promise<boolean> | undefined;
  let last: Promise<boolean> = Promise.resolve(true);

  const append = (row: object): boolean => {
    if (closed) return false;
    try {
      writeSync(file, `${JSON.stringify(row)}\n`);
      return true;
    } catch {
      // A full disk must not stop supervision: the watchdog and the marker still find everything.
      return false;
    }
  };
  const sync = (): Promise<boolean> => {
    last = syncing ??= new Promise((resolve) => {
      setImmediate(() => {
        syncing = undefined;
        fdatasync(file, (error) => resolve(error === null));
      });
    });
    return last;
  };
  append({ v: 1, owner });

  return {
    path,
    add(child) {
      open.set(child.pid, child.start);
      return append({ add: child }) ? sync() : Promise.resolve(false);
    },
    gone({ pid, start }) {
      if (open.get(pid) === start) open.delete(pid);
      append({ gone: { pid, start } });
    },
    async close() {
      if (closed) return;
      closed = true;
      await last;
      closeSync(file);
      if (open.size === 0) rmSync(path, { force: true });
    },
  };
}

/** Every readable ledger in the folder that is a plain file of ours that nobody else may write. */
export function readLedgers(home: string): readonly LedgerFile[] {
  return listFolder(ledgerFolder(home))
    .filter((name) => /^[0-9a-f]{32}\.ledger$/.test(name))
    .flatMap((name) => {
      const ledger = readLedger(join(ledgerFolder(home), name));
      return ledger === undefined || `${ledger.owner.run}.ledger` !== name ? [] : [ledger];
    });
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder: nothing was ever started with this home.
    return [];
  }
}

function readLedger(path: string): LedgerFile | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { uid, mode, mtimeMs } = fstatSync(file);
      const strange = process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0);
      if (strange) return undefined;
      return { ...parseLedger(path, readFileSync(file, "utf8")), modifiedAt: mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch {
    // A link, no file, or no ledger: it proves nothing, so nothing is done about it.
    return undefined;
  }
}

function parseLedger(path: string, text: string): Omit<LedgerFile, "modifiedAt"> {
  const open = new Map<number, LedgerChild>();
  const [first, ...rows] = text.split("\n").filter((line) => line !== "");
  const owner = readOwner(JSON.parse(first ?? ""));
  for (const line of rows) {
    const row = parseRow(line);
    const child = readChild(row["add"]);
    if (child !== undefined) open.set(child.pid, child);
    const gone = readIdentity(row["gone"]);
    if (gone !== undefined && open.get(gone.pid)?.start === gone.start) open.delete(gone.pid);
  }
  return { path, owner, open: [...open.values()] };
}

/** The last row of a crashed run may be half a row. */
function parseRow(line: string): Readonly<Record<string, unknown>> {
  try {
    return fields(JSON.parse(line));
  } catch {
    return {};
  }
}

function readOwner(row: unknown): LedgerOwner {
  const owner = fields(fields(row)["owner"]);
  const identity = readIdentity(owner);
  const { run, boot, cgroups } = owner;
  if (identity === undefined || typeof run !== "string" || typeof boot !== "string") {
    throw new TypeError("no owner");
  }
  // Everybody below that folder is killed: it must be one that we have made for this very run.
  const isOurs = typeof cgroups === "string" && cgroups.endsWith(`/mcpvisor-${run}`);
  return { ...identity, run, boot, ...(isOurs ? { cgroups } : {}) };
}

function readChild(value: unknown): LedgerChild | undefined {
  const child = fields(value);
  const identity = readIdentity(child);
  const { server, generation } = child;
  const engine = readEngine(child["engine"]);
  if (identity === undefined || typeof server !== "string" || typeof generation !== "number")
    return undefined;
  return { ...identity, server, generation, ...(engine === undefined ? {} : { engine }) };
}

function readEngine(value: unknown): Engine | undefined {
  const { program, globals, env } = fields(value);
  if (typeof program !== "string" || !Array.isArray(globals) || !globals.every(isText)) return undefined;
  const named = Object.entries(fields(env)).flatMap(([name, each]) =>
    isText(each) ? [[name, each] as const] : [],
  );
  return { program, globals, env: engineEnv(Object.fromEntries(named)) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function readIdentity(value: unknown): Identity | undefined {
  const { pid, start } = fields(value);
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return typeof start === "string" && start !== "" ? { pid, start } : undefined;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
