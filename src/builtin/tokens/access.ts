import type { Access } from "../contract/client.js";
import { ServiceError } from "../contract/problem.js";
import type { Clock } from "../contract/clock.js";
import type { ServiceId } from "../contract/ids.js";
import type { Account } from "../contract/account.js";
import { accountFromEnv, type Env } from "./env.js";
import { StoreError } from "./errors.js";
import { requestGrant } from "./grant.js";
import type { Mask } from "./mask.js";
import type { HeldStore, TokenStore } from "./store.js";

export interface AccessOptions {
  readonly store: TokenStore;
  readonly service: ServiceId;
  readonly env: Env;
  readonly clock: Clock;
  /** Learns every secret that comes by. */
  readonly mask: Mask;
}

/** A token this close to its end is renewed before it is used. */
const EARLY_MS = 60_000;

/**
 * The account of one service. A refresh happens once however many callers and processes want it: callers of this process
 * share one promise, processes take turns by the store's lock and the late ones find the new token written.
 */
export function createAccess(options: AccessOptions): Access {
  const { store, service, env, clock, mask } = options;
  let renewing: Promise<Account | undefined> | undefined;
  const learn = (account: Account | undefined): Account | undefined => {
    for (const secret of Object.values(account?.secrets ?? {})) mask.add(secret);
    return account;
  };
  // A caller that gives up leaves the refresh to the others: a rotated refresh token must not get lost half-way.
  const renew: Access["renew"] = async (refused) => {
    if (refused.secrets.refreshToken === undefined) return undefined;
    renewing ??= store
      .exclusively((held) => renewHeld(held, refused, service, clock))
      .then(learn)
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  return {
    renew,
    current: async (signal) => {
      const account = learn(accountFromEnv(env, service) ?? (await readAccount(store, service)));
      if (account === undefined) throw notConnected(service);
      const isOld = account.expiresAt !== undefined && account.expiresAt - EARLY_MS <= clock.now();
      return isOld ? ((await renew(account, signal)) ?? account) : account;
    },
  };
}

async function renewHeld(
  held: HeldStore,
  refused: Account,
  service: ServiceId,
  clock: Clock,
): Promise<Account | undefined> {
  const account = await held.read(service);
  if (account === undefined) throw notConnected(service);
  const { secrets, clientId, tokenUrl } = account;
  if (secrets.accessToken !== refused.secrets.accessToken) return account;
  if (secrets.refreshToken === undefined || tokenUrl === undefined || clientId === undefined)
    return undefined;
  const grant = await requestGrant({
    tokenUrl,
    clock,
    form: {
      grant_type: "refresh_token",
      refresh_token: secrets.refreshToken,
      client_id: clientId,
      ...(secrets.clientSecret !== undefined && { client_secret: secrets.clientSecret }),
    },
  }).catch((error: unknown) => {
    throw refreshFailed(service, error);
  });
  const { expiresAt: _, keptIn: __, ...rest } = account;
  const renewed = {
    ...rest,
    ...(grant.expiresAt !== undefined && { expiresAt: grant.expiresAt }),
    secrets: {
      ...secrets,
      accessToken: grant.accessToken,
      refreshToken: grant.refreshToken ?? secrets.refreshToken,
    },
  };
  return { ...renewed, keptIn: await held.write(service, renewed) };
}

async function readAccount(store: TokenStore, service: ServiceId): Promise<Account | undefined> {
  try {
    return await store.read(service);
  } catch (error) {
    if (error instanceof StoreError) throw new ServiceError("not-connected", error.message, { cause: error });
    throw error;
  }
}

function notConnected(service: ServiceId): ServiceError {
  return new ServiceError(
    "not-connected",
    `no ${service} account is connected. The user has to run: mcpvisor connect ${service}`,
  );
}

function refreshFailed(service: ServiceId, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const hint =
    error.kind === "unauthorized"
      ? `The user has to connect again: mcpvisor connect ${service}`
      : "Nothing was done; try again later.";
  return new ServiceError(error.kind, `the ${service} token has run out and ${error.message}. ${hint}`, {
    cause: error,
  });
}
