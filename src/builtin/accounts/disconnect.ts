import { realClock } from "../contract/clock.js";
import type { ServiceId } from "../contract/ids.js";
import { StoreError } from "../tokens/errors.js";
import { openTokenStore } from "../tokens/store.js";
import { type AccountOptions, findService, offerOf } from "./options.js";
import { revoke } from "./revoke.js";

export interface Disconnected {
  readonly service: ServiceId;
  /** False when there was none. */
  readonly removed: boolean;
  /** `by-hand`: a pasted token may serve others as well, so only its owner ends it. */
  readonly revoked: "yes" | "failed" | "by-hand" | "none";
  /** One sentence for the person. */
  readonly message: string;
}

/** Forgets an account and revokes what OAuth granted; the account is gone even when the service cannot be reached. */
export async function disconnectAccount(options: AccountOptions): Promise<Disconnected> {
  const service = findService(options.service);
  const offer = offerOf(service, options.urls);
  const account = await openTokenStore(options).exclusively(async (held) => {
    const found = await held.read(service.id).catch((error: unknown) => {
      // Secrets in a keyring that cannot be read can still be forgotten.
      if (error instanceof StoreError) return "unreadable" as const;
      throw error;
    });
    if (found !== undefined) await held.remove(service.id);
    return found;
  });
  const about = { service: service.id, removed: account !== undefined };
  if (account === undefined)
    return { ...about, revoked: "none", message: `No ${service.name} account was connected.` };
  const page = service.token?.page ?? service.oauth?.clientPage ?? "";
  if (account === "unreadable")
    return {
      ...about,
      revoked: "failed",
      message: `Forgotten. Its token could not be read from the OS keyring; revoke it at ${page}.`,
    };
  if (account.kind !== "oauth" || offer === undefined)
    return {
      ...about,
      revoked: "by-hand",
      message: `Forgotten. If nothing else uses the token, revoke it at ${page}.`,
    };
  if (await revoke(account, offer, options.clock ?? realClock))
    return { ...about, revoked: "yes", message: `Forgotten, and revoked at ${service.name}.` };
  return {
    ...about,
    revoked: "failed",
    message: `Forgotten, but ${service.name} did not confirm; revoke it in your account there.`,
  };
}
