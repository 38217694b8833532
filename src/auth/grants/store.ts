import { createHash } from "node:crypto";
import { lstat, readFile, rm } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { writeAtomic } from "../../keep/atomic.js";
import { LockError, withLock } from "../../keep/lock.js";
import { SealError, type Sealer } from "../../keep/seal.js";
import { isObject, type JsonObject } from "../door/json.js";
import { AuthError } from "../door/problem.js";
import { type AccountRecord, join, recordVersion, split } from "./record.js";

/** Which account of which server. */
export interface AccountKey {
  /** The server's address, without fragment. */
  readonly url: string;
  /** `default`, or the entry's `oauth.account`; project files have `project:<hash>`. */
  readonly account: string;
}

/** The file of one account. Whatever is written is written under its lock. */
export interface AccountFile {
  readonly path: string;
  /** Undefined when there is none. AuthError `file` for one that is torn, foreign, open to others or of a newer version; `locked` when its key is out of reach. */
  read(): Promise<AccountRecord | undefined>;
  /** Runs `work` while no other process changes this account; AuthError `busy` after 45 s. */
  exclusively<T>(work: (held: HeldFile) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface HeldFile {
  read(): Promise<AccountRecord | undefined>;
  /** Durable when it resolves; AuthError `file` otherwise. */
  write(record: AccountRecord): Promise<void>;
  remove(): Promise<void>;
  /** Whether the lock is still ours: it is taken over from a holder that stood still for too long. */
  readonly isOurs: boolean;
}

const waitMs = 45_000;

/** The folder of all accounts below a state folder. */
export function authFolder(home: string): string {
  return joinPath(home, "auth");
}

/** Name of an account's file: nothing of it can clash, and nothing of the address shows. */
export function fileName({ url, account }: AccountKey): string {
  const hash = createHash("sha256").update(`${url}\n${account}`).digest("hex");
  return `${hash.slice(0, 16)}.json`;
}

export function openAccount(home: string, key: AccountKey, sealer?: Sealer): AccountFile {
  const path = joinPath(authFolder(home), fileName(key));
  const read = (): Promise<AccountRecord | undefined> => readRecord(path, key, sealer);
  return {
    path,
    read,
    async exclusively(work, signal) {
      try {
        return await withLock(`${path}.lock`, { waitMs, ...(signal && { signal }) }, (lock) =>
          work({
            read,
            write: (record) => writeRecord(path, record, sealer),
            remove: () => rm(path, { force: true }),
            get isOurs() {
              return lock.held;
            },
          }),
        );
      } catch (error) {
        if (error instanceof LockError) throw new AuthError("busy", error.message, { cause: error });
        throw error;
      }
    },
  };
}

/** The open part of an account's file, whether it is sealed or not; undefined when there is none. */
export async function peekAccount(home: string, key: AccountKey): Promise<JsonObject | undefined> {
  const open = await readOpen(joinPath(authFolder(home), fileName(key)), key);
  if (open === undefined) return undefined;
  const { secrets: _, ...rest } = open;
  return rest;
}

async function readRecord(
  path: string,
  key: AccountKey,
  sealer: Sealer | undefined,
): Promise<AccountRecord | undefined> {
  const open = await readOpen(path, key);
  if (open === undefined) return undefined;
  const { sealed, secrets } = open;
  const record = join(open, typeof sealed === "string" ? await unseal(path, sealed, sealer) : secrets);
  if (record === undefined) throw bad(path, "a field is missing or of another kind");
  return record;
}

async function readOpen(path: string, key: AccountKey): Promise<JsonObject | undefined> {
  const text = await readOwn(path);
  if (text === undefined) return undefined;
  const open = parse(path, text);
  const { version, url, account } = open;
  if (version !== recordVersion)
    throw bad(path, `version is ${JSON.stringify(version)?.slice(0, 40)}, written by a newer mcpvisor`);
  if (url !== key.url || account !== key.account) throw bad(path, "url or account is that of another server");
  return open;
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const about = await lstat(path);
    if (!about.isFile()) throw bad(path, "it is no plain file");
    if (process.platform !== "win32" && (about.mode & 0o077) !== 0)
      throw bad(path, `others may read it; run: chmod 600 ${path}`);
    if (about.size > 1024 * 1024) throw bad(path, "it is larger than 1 MiB");
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw bad(path, `it cannot be read (${code ?? "unknown"})`);
  }
}

function parse(path: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The reason would quote the text, and the text is secret.
  }
  throw bad(path, "it is no JSON object: torn, or not ours");
}

async function unseal(path: string, sealed: string, sealer: Sealer | undefined): Promise<unknown> {
  if (sealer === undefined)
    throw new AuthError("locked", `${path} is sealed with a key of the OS keyring, which is not used here`);
  try {
    return JSON.parse(await sealer.open(sealed, path));
  } catch (error) {
    if (error instanceof SealError && error.locked)
      throw new AuthError("locked", `${path} is sealed: ${error.message}; unlock it and try again`, {
        cause: error,
      });
    throw bad(path, "sealed: it does not fit the key in the OS keyring");
  }
}

async function writeRecord(path: string, record: AccountRecord, sealer: Sealer | undefined): Promise<void> {
  const { open, secrets } = split(record);
  const sealed = await sealer?.seal(JSON.stringify(secrets), path);
  const text = JSON.stringify({ ...open, ...(sealed === undefined ? { secrets } : { sealed }) }, null, 2);
  try {
    await writeAtomic(path, `${text}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new AuthError("file", `${path} cannot be written (${code})`, { cause: error });
  }
}

function bad(path: string, why: string): AuthError {
  return new AuthError(
    "file",
    `the account file ${path} cannot be used: ${why}. Nothing in it was changed; move it away and log in again`,
  );
}
