import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ServiceId } from "../contract/ids.js";
import {
  type Account,
  parseSecrets,
  type StoredAccount,
  type TokensFile,
  tokensFileSchema,
} from "../contract/account.js";
import { StoreError } from "./errors.js";
import { writeAtomic } from "../../keep/atomic.js";
import { type Keyring, loadKeyring } from "../../keep/keyring.js";
import { type HeldLock, LockError, withLock } from "../../keep/lock.js";

export interface StoreOptions {
  /** The state folder; tokens.json lies in it. */
  readonly home: string;
  /** `file` never touches the OS keyring; `auto` (default) takes it where it works. */
  readonly keep?: "auto" | "file";
  readonly loadKeyring?: () => Promise<Keyring | undefined>;
}

/** The accounts of one state folder. What is written is written by one process at a time. */
export interface TokenStore {
  readonly path: string;
  /** All accounts without their secrets. */
  list(): Promise<Readonly<Record<string, StoredAccount>>>;
  /** One account with its secrets; undefined when there is none. StoreError when its secrets are out of reach. */
  read(service: ServiceId): Promise<Account | undefined>;
  /** Runs `work` while no other process writes; only `held` may be used to write meanwhile. */
  exclusively<T>(work: (held: HeldStore) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** The store while its lock is held. */
export interface HeldStore {
  read(service: ServiceId): Promise<Account | undefined>;
  /** Writes an account; answers where its secrets went. */
  write(service: ServiceId, account: Omit<Account, "keptIn">): Promise<"file" | "keyring">;
  remove(service: ServiceId): Promise<void>;
}

/** Opens `<home>/tokens.json` (0600); the file need not exist. */
export function openTokenStore(options: StoreOptions): TokenStore {
  const path = join(resolve(options.home), "tokens.json");
  let loading: Promise<Keyring | undefined> | undefined;
  const keyring = (): Promise<Keyring | undefined> => (loading ??= (options.loadKeyring ?? loadKeyring)());
  const read = async (service: ServiceId): Promise<Account | undefined> => {
    const stored = (await readTokens(path)).accounts[service];
    return stored && { ...stored, secrets: stored.secrets ?? (await fromKeyring(service)) };
  };
  const fromKeyring = async (service: ServiceId) => {
    const text = await (await keyring())?.get(keyOf(path, service)).catch(() => undefined);
    const secrets = text === undefined ? undefined : parseSecrets(text);
    if (secrets !== undefined) return secrets;
    throw new StoreError(
      `the ${service} token is kept in the OS keyring, which cannot be read from here; unlock it, or connect again`,
    );
  };
  const intoKeyring = async (service: ServiceId, account: Omit<Account, "keptIn">): Promise<boolean> => {
    if (options.keep === "file") return false;
    const ring = await keyring();
    if (ring === undefined) return false;
    const secret = JSON.stringify(account.secrets);
    // A keyring without a daemon, locked, or one that forgets: the file is used then.
    return ring
      .set(keyOf(path, service), secret)
      .then(() => ring.get(keyOf(path, service)))
      .then((kept) => kept === secret)
      .catch(() => false);
  };
  const heldBy = (lock: HeldLock): HeldStore => ({
    read,
    write: async (service, account) => {
      const keptIn = (await intoKeyring(service, account)) ? "keyring" : "file";
      const { secrets, ...rest } = account;
      const stored = { ...rest, keptIn, ...(keptIn === "file" && { secrets }) } satisfies StoredAccount;
      const { accounts } = await readTokens(path);
      lock.check();
      await writeTokens(path, { ...accounts, [service]: stored });
      return keptIn;
    },
    remove: async (service) => {
      const { [service]: gone, ...rest } = (await readTokens(path)).accounts;
      lock.check();
      await writeTokens(path, rest);
      // The reference is gone already; an entry left in an unreachable keyring belongs to nothing.
      if (gone?.keptIn === "keyring")
        await (await keyring())?.delete(keyOf(path, service)).catch(() => undefined);
    },
  });
  return {
    path,
    list: async () => mapValues((await readTokens(path)).accounts, withoutSecrets),
    read,
    exclusively: (work, signal) =>
      withLock(`${path}.lock`, { ...(signal && { signal }) }, (lock) => work(heldBy(lock))).catch(
        asStoreError,
      ),
  };
}

function asStoreError(error: unknown): never {
  throw error instanceof LockError ? new StoreError(error.message, { cause: error }) : error;
}

async function readTokens(path: string): Promise<TokensFile> {
  let text: string;
  try {
    const about = await lstat(path);
    if (!about.isFile()) throw new StoreError(`${path} is not a plain file; remove it and connect again`);
    if (process.platform !== "win32" && (about.mode & 0o077) !== 0)
      throw new StoreError(`${path} can be read by others; run: chmod 600 ${path}`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { version: 1, accounts: {} };
    throw error;
  }
  return parseTokens(path, text);
}

function parseTokens(path: string, text: string): TokensFile {
  try {
    return tokensFileSchema.parse(JSON.parse(text));
  } catch {
    // The reason would quote the text, and the text is secret.
    throw new StoreError(`${path} is not a token file of this version; move it away and connect again`);
  }
}

function writeTokens(path: string, accounts: TokensFile["accounts"]): Promise<void> {
  return writeAtomic(path, `${JSON.stringify({ version: 1, accounts }, null, 2)}\n`);
}

/** One keyring may serve several state folders. */
function keyOf(path: string, service: ServiceId): string {
  return `${service}@${createHash("sha256").update(path).digest("hex").slice(0, 12)}`;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function withoutSecrets(account: StoredAccount): StoredAccount {
  const { secrets: _, ...rest } = account;
  return rest;
}
