import type { TokenSet } from "../door/answer.js";
import type { Found } from "../discovery/discover.js";
import type { Identity } from "../discovery/identity.js";
import type { LoginContext, LoginInput } from "./loginTypes.js";
import { type AccountRecord, emptyRecord, withGrant } from "../grants/record.js";
import { grantFrom } from "../grants/renewal.js";

/** A registration is kept at once: an attempt that fails must not register again. */
export async function keepClient(
  { file, key }: LoginInput,
  { issuer }: Found,
  client: Identity,
): Promise<void> {
  await file.exclusively(async (held) => {
    const record = (await held.read()) ?? emptyRecord(key.url, key.account);
    await held.write({ ...record, clients: { ...record.clients, [issuer.issuer]: client } });
  });
}

export async function keepGrant(
  context: LoginContext,
  client: Identity,
  tokens: TokenSet,
): Promise<AccountRecord> {
  const { input, found, scopes } = context;
  const { issuer, resource } = found;
  input.learn(tokens.accessToken);
  input.learn(tokens.refreshToken);
  const grant = grantFrom(tokens, {
    issuer: issuer.issuer,
    clientId: client.clientId,
    scopes,
    requested: scopes,
  });
  return input.file.exclusively(async (held) => {
    const record = (await held.read()) ?? emptyRecord(input.key.url, input.key.account);
    const next = withGrant(record, { issuer, grant, issuerReadAt: input.clock.now(), resource });
    await held.write(next);
    return next;
  });
}
