import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Account } from "../../src/auth/account.js";
import type { Shown } from "../../src/auth/login/loginTypes.js";
import type { OAuthWords } from "../../src/auth/discovery/words.js";
import { type Clock, realClock } from "../../src/clock.js";
import { startFakeAuthServer } from "../../src/testing/fakeAuthServer.js";
import type { FakeAuthOptions } from "../../src/testing/auth/types.js";

/** A folder that is gone when the test is over. */
export async function tempHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "mcpvisor-auth-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

export async function fakeAuth(options: FakeAuthOptions = {}) {
  const fake = await startFakeAuthServer(options);
  onTestFinished(() => fake.close());
  return fake;
}

export interface Told {
  readonly renewed: { adopted: boolean; rotated: boolean }[];
  readonly secrets: Set<string>;
  unsaved: number;
}

export function accountOf(
  home: string,
  url: string,
  words: OAuthWords = {},
  clock: Clock = realClock,
): { account: Account; told: Told } {
  const told: Told = { renewed: [], secrets: new Set(), unsaved: 0 };
  const account = new Account({
    home,
    key: { url, account: words.account ?? "default" },
    words,
    clock,
    random: () => 0.5,
    ears: {
      learn: (secret) => told.secrets.add(secret),
      renewed: (fact) => told.renewed.push(fact),
      unsaved: () => (told.unsaved += 1),
      registering: () => undefined,
    },
  });
  return { account, told };
}

/** Logs in with a person who does what `person` does with the address. */
export async function login(
  account: Account,
  person: (shown: Shown) => unknown,
  options: { signal?: AbortSignal; device?: boolean; scopes?: string[]; newClient?: boolean } = {},
): Promise<Shown> {
  let seen: Shown | undefined;
  await account.login({
    signal: options.signal ?? new AbortController().signal,
    ...options,
    show: (shown) => {
      seen = shown;
      void person(shown);
    },
  });
  return seen!;
}

/** A clock that is some time ahead of the real one. */
export function shiftedClock(): Clock & { shift(ms: number): void } {
  let ahead = 0;
  return { ...realClock, now: () => Date.now() + ahead, shift: (ms) => (ahead += ms) };
}
