import { serviceIds } from "../contract/ids.js";
import { accountFromEnv, type Env } from "../tokens/env.js";
import { openTokenStore, type StoreOptions } from "../tokens/store.js";
import type { AccountSummary } from "./options.js";
import { summaryOf } from "./summary.js";

/** The connected accounts in the services' order; a token in the environment hides a kept one. No secrets. */
export async function listAccounts(
  options: StoreOptions & { readonly env?: Env },
): Promise<AccountSummary[]> {
  const stored = await openTokenStore(options).list();
  return serviceIds.flatMap((service) => {
    const account = accountFromEnv(options.env ?? process.env, service) ?? stored[service];
    return account === undefined ? [] : [summaryOf(service, account)];
  });
}
