import type { Identity } from "../discovery/identity.js";
import type { Issuer } from "../discovery/issuer.js";
import { isObject, type JsonObject } from "../door/json.js";

/** Why an account has no grant that works. */
export type NeedReason = "none" | "expired" | "revoked" | "scope" | "client" | "issuer-changed";

/** Tokens and what is known of them. */
export interface Grant {
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly tokenType: "Bearer" | "DPoP";
  /** Granted, as far as the server said; else as requested. */
  readonly scopes: readonly string[];
  readonly requested: readonly string[];
  /** Epoch ms of receipt. */
  readonly obtainedAt: number;
  /** Seconds; absent is unknown. */
  readonly expiresIn?: number;
}

/** A renewal that was begun: found by the next process when this one was killed over it. */
export interface Spending {
  /** SHA-256 of the refresh token. */
  readonly hash: string;
  readonly at: number;
}

/** One account of one server, as its file says. */
export interface AccountRecord {
  readonly version: 1;
  readonly url: string;
  readonly account: string;
  /** Metadata of the issuer in use, and when it was read. */
  readonly issuer?: Issuer;
  readonly issuerReadAt?: number;
  /** As the resource names it, where a person configured another `issuer`. */
  readonly issuerSource?: string;
  readonly resource?: string;
  /** Registered clients by issuer. */
  readonly clients: Readonly<Record<string, Identity>>;
  readonly grant?: Grant;
  readonly spending?: Spending;
  readonly lost?: { readonly reason: NeedReason; readonly at: number; readonly message: string };
  /** `invalid_request` in a row: some servers mean a dead refresh token by it. */
  readonly doubts?: { readonly count: number; readonly since: number };
  /** Logged out: the next login asks for consent. */
  readonly loggedOut?: boolean;
}

/** The part of a record that opens doors. */
export interface RecordSecrets {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Client secrets by issuer. */
  readonly clients: Readonly<Record<string, string>>;
}

export const recordVersion = 1;

/** Takes the secrets out of a record. */
export function split(record: AccountRecord): { readonly open: JsonObject; readonly secrets: RecordSecrets } {
  const { grant, clients } = record;
  const secrets: Record<string, string> = {};
  const openClients: Record<string, Identity> = {};
  for (const [issuer, { secret, key: _, ...rest }] of Object.entries(clients)) {
    openClients[issuer] = rest;
    if (secret !== undefined) secrets[issuer] = secret;
  }
  if (grant === undefined)
    return { open: { ...record, clients: openClients }, secrets: { clients: secrets } };
  const { accessToken, refreshToken, ...openGrant } = grant;
  return {
    open: { ...record, clients: openClients, grant: openGrant },
    secrets: { accessToken, ...(refreshToken !== undefined && { refreshToken }), clients: secrets },
  };
}

/** Puts a record together again; undefined when a part is not of the form that `split` made. */
export function join(open: JsonObject, secrets: unknown): AccountRecord | undefined {
  if (!isObject(secrets)) return undefined;
  const { url, account, clients, grant } = open;
  if (typeof url !== "string" || typeof account !== "string" || !isObject(clients)) return undefined;
  const secretOf = isObject(secrets["clients"]) ? secrets["clients"] : {};
  const whole: Record<string, unknown> = {};
  for (const [issuer, client] of Object.entries(clients)) {
    if (!isObject(client) || typeof client["clientId"] !== "string") return undefined;
    whole[issuer] = { ...client, ...(typeof secretOf[issuer] === "string" && { secret: secretOf[issuer] }) };
  }
  const record: Record<string, unknown> = { ...open, clients: whole };
  delete record["secrets"];
  delete record["sealed"];
  if (grant !== undefined) {
    const { accessToken, refreshToken } = secrets;
    if (!isGrant(grant) || typeof accessToken !== "string") return undefined;
    record["grant"] = { ...grant, accessToken, ...(typeof refreshToken === "string" && { refreshToken }) };
  }
  return record as unknown as AccountRecord;
}

function isGrant(grant: unknown): grant is JsonObject {
  if (!isObject(grant)) return false;
  const { issuer, clientId, scopes, requested, obtainedAt, expiresIn, tokenType } = grant;
  return (
    typeof issuer === "string" &&
    typeof clientId === "string" &&
    typeof tokenType === "string" &&
    Array.isArray(scopes) &&
    Array.isArray(requested) &&
    typeof obtainedAt === "number" &&
    (expiresIn === undefined || typeof expiresIn === "number")
  );
}

/**
 * Milliseconds that an access token still lasts; undefined is unknown. A clock that stands before the time of receipt
 * says nothing about its age.
 */
export function lastsMs({ obtainedAt, expiresIn }: Grant, now: number): number | undefined {
  if (expiresIn === undefined || now < obtainedAt) return undefined;
  return obtainedAt + expiresIn * 1000 - now;
}

/** Whether a token need not be renewed yet: unknown end, or more left than a minute or a tenth of its life. */
export function isFresh(grant: Grant, now: number): boolean {
  const lasts = lastsMs(grant, now);
  return lasts === undefined || lasts > Math.min(60_000, (grant.expiresIn ?? 0) * 100);
}

/** A record with a new grant; what belonged to the old one is gone, the clients stay. */
export function withGrant(
  { version, url, account, clients }: AccountRecord,
  found: Required<Pick<AccountRecord, "issuer" | "grant" | "issuerReadAt">> &
    Pick<AccountRecord, "issuerSource"> & { readonly resource?: string | undefined },
): AccountRecord {
  const { resource, ...rest } = found;
  return { version, url, account, clients, ...rest, ...(resource !== undefined && { resource }) };
}

export function emptyRecord(url: string, account: string): AccountRecord {
  return { version: recordVersion, url, account, clients: {} };
}
