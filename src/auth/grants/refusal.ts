import { AuthError } from "../door/problem.js";
import type { AccountRecord, Grant } from "./record.js";
import { needed } from "./renewalResult.js";
import type { Renewal, RenewalInput } from "./renewalResult.js";
import type { HeldFile } from "./store.js";

const doubtMs = 10 * 60_000;

export interface Refused {
  readonly held: HeldFile;
  readonly input: RenewalInput;
  readonly record: AccountRecord;
  readonly grant: Grant;
  readonly interrupted: boolean;
}

/** What an error of the token endpoint does to the account; throws on what passes. */
export async function refusal(error: unknown, about: Refused): Promise<Renewal> {
  if (!(error instanceof AuthError) || error.failure !== "refused") throw error;
  const { held, input, record, grant, interrupted } = about;
  const now = input.clock.now();
  const { spending: _, doubts, ...rest } = record;
  switch (error.oauthError) {
    case "invalid_grant": {
      const message = interrupted
        ? `${error.message}; a process was interrupted while renewing`
        : error.message;
      return forget(held, { ...rest }, { reason: "revoked", at: now, message }, grant);
    }
    case "invalid_client":
    case "unauthorized_client": {
      const registered = record.clients[grant.issuer];
      // A configured client is mended in the configuration, and its grant goes on then.
      if (registered === undefined || registered.clientId !== grant.clientId)
        return needed("client", error.message);
      const { [grant.issuer]: __, ...clients } = record.clients;
      return forget(held, { ...rest, clients }, { reason: "client", at: now, message: error.message }, grant);
    }
    case "invalid_request": {
      const since = doubts?.since ?? now;
      const count = (doubts?.count ?? 0) + 1;
      if (count >= 3 && now - since >= doubtMs)
        return forget(held, { ...rest }, { reason: "revoked", at: now, message: error.message }, grant);
      await held.write({ ...rest, doubts: { count, since } });
      throw new AuthError("unreachable", error.message, { cause: error });
    }
    default:
      throw new AuthError("unreachable", error.message, { cause: error });
  }
}

/** Gives up exactly the grant that was refused. */
async function forget(
  held: HeldFile,
  record: AccountRecord,
  lost: NonNullable<AccountRecord["lost"]>,
  grant: Grant,
): Promise<Renewal> {
  if (!held.isOurs) {
    const stored = await held.read();
    if (stored?.grant !== undefined && stored.grant.accessToken !== grant.accessToken)
      return { kind: "adopted", record: stored };
  }
  const { grant: _, ...rest } = record;
  await held.write({ ...rest, lost });
  return needed(lost.reason, lost.message);
}
