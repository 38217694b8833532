import { utimes } from "node:fs/promises";
import { LockError, withLock } from "../../keep/lock.js";
import { loginByCode } from "./codeLogin.js";
import { loginWithoutBrowser } from "./deviceLogin.js";
import { discover, type Found } from "../discovery/discover.js";
import type { LoginContext, LoginInput } from "./loginTypes.js";
import { AuthError } from "../door/problem.js";
import type { AccountRecord } from "../grants/record.js";
import { missing, scopesToAsk } from "../discovery/scopes.js";

const discoveryMs = 30_000;
const aliveMs = 20_000;

/**
 * One login of one account: finds the authorization server, shows the person where to go, and has the new grant on
 * disk when it resolves. The old grant serves until then. AuthError otherwise; `busy` when another process is at it.
 */
export async function runLogin(input: LoginInput): Promise<AccountRecord> {
  const lock = `${input.file.path}.login`;
  try {
    return await withLock(lock, { waitMs: 0 }, async () => {
      // A login takes longer than a lock may last.
      const timer = setInterval(() => void touch(lock), aliveMs);
      try {
        return await login(input);
      } finally {
        clearInterval(timer);
      }
    });
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    throw new AuthError(
      "busy",
      "another process is logging in to this account just now; finish or end that one",
      { cause: error },
    );
  }
}

async function login(input: LoginInput): Promise<AccountRecord> {
  const { file, words, device } = input;
  const record = await file.read();
  const found = await find(input, record);
  const { issuer } = found.issuer;
  const before = record?.grant?.issuer === issuer ? record.grant.requested : undefined;
  const scopes = scopesToAsk({
    configured: words.scopes,
    challenged:
      [...(input.challenge?.scopes ?? []), ...(input.scopes ?? [])].length > 0
        ? [...(input.challenge?.scopes ?? []), ...(input.scopes ?? [])]
        : undefined,
    supported: found.scopes,
    requested: before,
    issuerSupported: found.issuer.scopes,
    offline: true,
  });
  const stored = input.newClient ? undefined : record?.clients[issuer];
  const context: LoginContext = {
    input,
    found,
    scopes,
    stored,
    newScopes: missing(scopes, before ?? []),
    consent: record?.loggedOut === true,
  };
  return device || words.grant === "device" ? loginWithoutBrowser(context) : loginByCode(context);
}

async function find(
  { ask, key, words, challenge, signal }: LoginInput,
  record: AccountRecord | undefined,
): Promise<Found> {
  return discover({
    ask,
    serverUrl: key.url,
    challenge,
    issuer: words.issuer,
    resource: words.resource,
    known: record?.grant?.issuer,
    signal: AbortSignal.any([signal, AbortSignal.timeout(discoveryMs)]),
  });
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  // Gone: the login has ended meanwhile.
  await utimes(path, now, now).catch(() => undefined);
}
