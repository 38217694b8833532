import type { ServiceId } from "../contract/ids.js";
import type { StoredAccount } from "../contract/account.js";
import type { AccountSummary } from "./options.js";

/** What may be shown of an account. */
export function summaryOf(service: ServiceId, account: StoredAccount): AccountSummary {
  const { label, kind, keptIn, connectedAt, expiresAt, scopes } = account;
  return {
    service,
    label,
    kind,
    keptIn: kind === "env" ? "environment" : keptIn,
    ...(kind !== "env" && { connectedAt: new Date(connectedAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(scopes !== undefined && { scopes }),
  };
}
