import type { Clock } from "../clock.js";
import type { Sealer } from "../keep/seal.js";
import { reachOf } from "./door/reach.js";
import { createDoor, type Ask } from "./door/ask.js";
import { Bearer } from "./grants/bearer.js";
import type { Refusal } from "./grants/verdict.js";
import { configuredIdentity } from "./discovery/client.js";
import { discover } from "./discovery/discover.js";
import { probeChallenge } from "./discovery/probe.js";
import { runLogin } from "./login/login.js";
import type { Shown } from "./login/loginTypes.js";
import { acquireGrant } from "./machineGrant.js";
import { AuthError } from "./door/problem.js";
import { renewGrant } from "./grants/renewal.js";
import { type Revoked, revokeGrant } from "./grants/revoke.js";
import { type AccountFile, type AccountKey, openAccount } from "./grants/store.js";
import type { OAuthWords } from "./discovery/words.js";

/** What an account tells of itself; no secrets. */
export interface AccountEars {
  learn(secret: string): void;
  renewed(fact: {
    readonly ms: number;
    readonly adopted: boolean;
    readonly rotated: boolean;
    readonly expiresInMs?: number;
  }): void;
  unsaved(): void;
  /** Throws when this issuer has been asked for too many registrations. */
  registering(issuer: string): void;
}

export interface AccountOptions {
  readonly home: string;
  readonly key: AccountKey;
  readonly words: OAuthWords;
  readonly clock: Clock;
  readonly random: () => number;
  readonly userAgent?: string | undefined;
  readonly sealer?: Sealer | undefined;
  readonly ears: AccountEars;
}

export interface LoginOptions {
  readonly refusal?: Refusal | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly device?: boolean | undefined;
  readonly newClient?: boolean | undefined;
  readonly show: (shown: Shown) => void;
  readonly signal: AbortSignal;
}

/** One account of one server address: its file, its token in this process, logging in and out. */
export class Account {
  readonly key: AccountKey;
  readonly file: AccountFile;
  readonly bearer: Bearer;
  readonly words: OAuthWords;
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #ears: AccountEars;
  readonly #learn: (secret: string | undefined) => void;

  constructor({ home, key, words, clock, random, userAgent, sealer, ears }: AccountOptions) {
    this.key = key;
    this.words = words;
    this.#clock = clock;
    this.#ears = ears;
    this.file = openAccount(home, key, sealer);
    this.#learn = (secret) => {
      if (secret !== undefined) ears.learn(secret);
    };
    let reach: ReturnType<typeof reachOf> | undefined;
    // The person's own words widen what may be asked, as the address of the server does.
    const own = [key.url, ...(words.issuer === undefined ? [] : [words.issuer])];
    this.#ask = createDoor({
      clock,
      reach: () => (reach ??= reachOf(own)),
      ...(userAgent !== undefined && { userAgent }),
    });
    this.bearer = new Bearer(this.file, clock, random, {
      renew: (refused) => renewGrant({ ...this.#tools(), configured: words, refused }),
      acquire: words.grant === "client_credentials" ? (refusal) => this.#acquire(refusal) : undefined,
      issuerNow: (refusal) => this.#issuerNow(refusal),
      learn: this.#learn,
      renewed: (fact) => ears.renewed(fact),
      unsaved: () => ears.unsaved(),
    });
  }

  /** Resolves when the new grant is on disk and in use; AuthError otherwise. */
  async login({ refusal, scopes, device, newClient, show, signal }: LoginOptions): Promise<void> {
    const challenge = refusal?.challenge ?? (await probeChallenge(this.#ask, this.key.url, signal));
    const record = await runLogin({
      ...this.#tools(),
      key: this.key,
      words: this.words,
      challenge,
      scopes,
      device: device ?? false,
      newClient: newClient ?? false,
      registering: (issuer) => this.#ears.registering(issuer),
      show,
      signal,
    });
    this.bearer.take(record);
  }

  /** Gives the grant back and forgets it; `keepGrant` leaves it at the authorization server. */
  async logout(keepGrant: boolean): Promise<Revoked> {
    return this.file.exclusively(async (held) => {
      const record = await held.read();
      const grant = record?.grant;
      const revoked =
        grant === undefined || keepGrant || record === undefined ? "no" : await this.#revoke(record, grant);
      if (record !== undefined) {
        const { version, url, account, clients } = record;
        // Clients stay: they are no login. What is left says that the next login asks for consent.
        await held.write({ version, url, account, clients, loggedOut: true });
      }
      this.bearer.take(undefined);
      return revoked;
    });
  }

  #revoke(
    record: NonNullable<Bearer["record"]>,
    grant: NonNullable<NonNullable<Bearer["record"]>["grant"]>,
  ): Promise<Revoked> {
    const { issuer } = record;
    if (issuer === undefined) return Promise.resolve("unsupported");
    const client = configuredIdentity(this.words, issuer) ??
      record.clients[grant.issuer] ?? { clientId: grant.clientId, authMethod: "none", via: "document" };
    return revokeGrant({ ask: this.#ask, clock: this.#clock, issuer, client }, grant);
  }

  #tools() {
    return { file: this.file, ask: this.#ask, clock: this.#clock, learn: this.#learn };
  }

  #acquire(refusal: Refusal) {
    const refused = this.bearer.record?.grant?.accessToken;
    return acquireGrant({ ...this.#tools(), key: this.key, words: this.words, refusal, refused });
  }

  async #issuerNow({ challenge }: Refusal): Promise<string | undefined> {
    const { issuer, resource } = this.words;
    try {
      const found = await discover({ ask: this.#ask, serverUrl: this.key.url, challenge, issuer, resource });
      return found.issuer.issuer;
    } catch (error) {
      if (error instanceof AuthError) return undefined;
      throw error;
    }
  }
}
