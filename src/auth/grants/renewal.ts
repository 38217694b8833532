import { createHash } from "node:crypto";
import type { TokenSet } from "../door/answer.js";
import { configuredIdentity } from "../discovery/client.js";
import { requestTokens } from "./grants.js";
import type { Identity } from "../discovery/identity.js";
import { discoverIssuer, type Issuer } from "../discovery/issuer.js";
import { pause } from "../door/pause.js";
import { AuthError } from "../door/problem.js";
import { type AccountRecord, type Grant, isFresh } from "./record.js";
import { scopesOf } from "../discovery/scopes.js";
import type { HeldFile } from "./store.js";
import { needed } from "./renewalResult.js";
import type { Renewal, RenewalInput } from "./renewalResult.js";
import { refusal } from "./refusal.js";

const metadataMs = 24 * 3600_000;

/**
 * Renews a grant once for all processes: under the account's lock it reads again, adopts what others did, marks the
 * refresh token as being spent, asks, and writes before anybody uses the answer. Only `invalid_grant` ends a grant, or
 * `invalid_request` three times over 10 minutes. Throws AuthError for what passes; everything stored stays then.
 */
export function renewGrant(input: RenewalInput): Promise<Renewal> {
  return input.file.exclusively((held) => renewHeld(held, input), input.signal);
}

async function renewHeld(held: HeldFile, input: RenewalInput): Promise<Renewal> {
  const { clock, refused, configured } = input;
  const record = await held.read();
  const grant = record?.grant;
  if (record === undefined || grant === undefined)
    return needed(record?.lost?.reason ?? "none", record?.lost?.message);
  const isOurs = refused === undefined ? !isFresh(grant, clock.now()) : grant.accessToken === refused;
  if (!isOurs) return { kind: "adopted", record };
  if (grant.refreshToken === undefined)
    return needed("expired", "the access token has ended and there is no refresh token");
  const issuer = await issuerOf(record, grant, input);
  const client = configuredIdentity(configured, issuer) ?? record.clients[grant.issuer] ?? documentOf(grant);
  const hash = createHash("sha256").update(grant.refreshToken).digest("hex");
  const interrupted = record.spending?.hash === hash;
  const marked: AccountRecord = { ...record, issuer, spending: { hash, at: clock.now() } };
  await held.write(marked);
  if (!held.isOurs)
    throw new AuthError(
      "busy",
      "this process stood still while it held the account's lock; another one has it",
    );
  try {
    const tokens = await spend(input, issuer, client, marked, grant);
    return await keep(held, input, marked, grant, tokens);
  } catch (error) {
    return refusal(error, { held, input, record: marked, grant, interrupted });
  }
}

/** Once more after a second when no answer came: servers with a grace time answer the same again. */
async function spend(
  input: RenewalInput,
  issuer: Issuer,
  client: Identity,
  record: AccountRecord,
  grant: Grant,
): Promise<TokenSet> {
  const { ask, clock, signal } = input;
  const request = (): Promise<TokenSet> =>
    requestTokens({ ask, clock, issuer, client, signal }, "refresh_token", {
      refresh_token: grant.refreshToken,
      resource: record.resource,
    });
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof AuthError) || !error.perhapsDone || signal?.aborted === true) throw error;
    await pause(clock, 1000, signal);
    return request();
  }
}

async function keep(
  held: HeldFile,
  { learn }: RenewalInput,
  record: AccountRecord,
  before: Grant,
  tokens: TokenSet,
): Promise<Renewal> {
  learn(tokens.accessToken);
  learn(tokens.refreshToken);
  const { spending: _, doubts: __, lost: ___, ...rest } = record;
  const grant = grantFrom(tokens, { ...before, scopes: before.scopes });
  const next: AccountRecord = { ...rest, grant };
  const rotated = tokens.refreshToken !== undefined && tokens.refreshToken !== before.refreshToken;
  const saved = await save(held, before.accessToken, next);
  return { kind: "renewed", record: next, rotated, saved };
}

/** A holder that lost its lock writes only over what it began with. */
async function save(held: HeldFile, began: string, next: AccountRecord): Promise<boolean> {
  try {
    if (!held.isOurs && (await held.read())?.grant?.accessToken !== began) return true;
    await held.write(next);
    return true;
  } catch {
    // Told by the caller as unsaved, and tried again: the tokens in memory are the only good ones.
    return false;
  }
}

/** The metadata of the issuer that gave the grant, read again once a day. */
async function issuerOf(record: AccountRecord, grant: Grant, input: RenewalInput): Promise<Issuer> {
  const { ask, clock, configured, signal } = input;
  const { issuer, issuerReadAt = 0, issuerSource = grant.issuer } = record;
  if (issuer?.issuer === grant.issuer && clock.now() - issuerReadAt < metadataMs) return issuer;
  try {
    return await discoverIssuer({
      ask,
      issuer: issuerSource,
      expected: configured.issuer ?? grant.issuer,
      signal,
    });
  } catch (error) {
    if (issuer?.issuer === grant.issuer && error instanceof AuthError && error.failure !== "issuer-mismatch")
      return issuer;
    throw new AuthError("unreachable", error instanceof Error ? error.message : "no metadata", {
      cause: error,
    });
  }
}

/** A client that is its metadata document. */
function documentOf({ clientId }: Grant): Identity {
  return { clientId, authMethod: "none", via: "document" };
}

/** A grant out of an answer; what the answer leaves out is as before. */
export function grantFrom(
  tokens: TokenSet,
  before: Omit<Grant, "accessToken" | "tokenType" | "obtainedAt">,
): Grant {
  const { expiresIn: _, ...rest } = before;
  const refreshToken = tokens.refreshToken ?? before.refreshToken;
  return {
    ...rest,
    accessToken: tokens.accessToken,
    tokenType: tokens.tokenType,
    obtainedAt: tokens.obtainedAt,
    scopes: tokens.scope === undefined ? before.scopes : scopesOf(tokens.scope),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(tokens.expiresIn !== undefined && { expiresIn: tokens.expiresIn }),
  };
}
