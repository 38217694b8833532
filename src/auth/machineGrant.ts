import type { Clock } from "../clock.js";
import type { Refusal } from "./grants/verdict.js";
import type { Ask } from "./door/ask.js";
import { configuredIdentity } from "./discovery/client.js";
import { discover } from "./discovery/discover.js";
import { requestTokens } from "./grants/grants.js";
import { AuthError } from "./door/problem.js";
import { type AccountRecord, emptyRecord, withGrant } from "./grants/record.js";
import { grantFrom } from "./grants/renewal.js";
import { scopesToAsk } from "./discovery/scopes.js";
import type { AccountFile, AccountKey } from "./grants/store.js";
import type { OAuthWords } from "./discovery/words.js";

export interface MachineInput {
  readonly key: AccountKey;
  readonly file: AccountFile;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly words: OAuthWords;
  readonly learn: (secret: string | undefined) => void;
  readonly refusal: Refusal;
  /** The token that was refused, if one was sent. */
  readonly refused: string | undefined;
}

/** Gets a grant for a machine (client credentials): no person, no registration, no refresh token. */
export function acquireGrant(input: MachineInput): Promise<AccountRecord> {
  const { key, file, ask, clock, words, learn, refusal, refused } = input;
  return file.exclusively(async (held) => {
    const record = (await held.read()) ?? emptyRecord(key.url, key.account);
    // Another process was first.
    if (record.grant !== undefined && record.grant.accessToken !== refused) return record;
    const { challenge } = refusal;
    const found = await discover({
      ask,
      serverUrl: key.url,
      challenge,
      issuer: words.issuer,
      resource: words.resource,
      known: record.grant?.issuer,
    });
    const { issuer, resource } = found;
    const client = configuredIdentity(words, issuer);
    if (client === undefined)
      throw new AuthError(
        "no-client",
        `"oauth": { "grant": "client_credentials" } needs clientId and clientSecret or clientKey`,
      );
    const scopes = scopesToAsk({
      configured: words.scopes,
      challenged: challenge?.scopes,
      supported: found.scopes,
      requested: record.grant?.requested,
      offline: false,
    });
    const scope = scopes.length > 0 ? scopes.join(" ") : undefined;
    const tokens = await requestTokens({ ask, clock, issuer, client }, "client_credentials", {
      scope,
      resource,
    });
    learn(tokens.accessToken);
    const { refreshToken: _, ...used } = tokens;
    const grant = grantFrom(used, {
      issuer: issuer.issuer,
      clientId: client.clientId,
      scopes,
      requested: scopes,
    });
    const next = withGrant(record, { issuer, grant, issuerReadAt: clock.now(), resource });
    await held.write(next);
    return next;
  });
}
