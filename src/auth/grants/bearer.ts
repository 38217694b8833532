import type { Clock } from "../../clock.js";
import { AuthError } from "../door/problem.js";
import { type AccountRecord, isFresh, lastsMs, type NeedReason } from "./record.js";
import type { Renewal } from "./renewalResult.js";
import { missing, union } from "../discovery/scopes.js";
import type { AccountFile } from "./store.js";
import { Unsaved } from "./unsaved.js";
import { type Refusal, type Verdict, verdictOfFile } from "./verdict.js";

export interface BearerHooks {
  /** Gets a new grant for the stored one, under the lock of all processes. */
  renew(refused: string | undefined): Promise<Renewal>;
  /** Gets a first grant without a person; only for machines. */
  acquire?: ((refusal: Refusal) => Promise<AccountRecord>) | undefined;
  /** The server's issuer as it says now; undefined when it cannot be found out. */
  issuerNow(refusal: Refusal): Promise<string | undefined>;
  /** Learns secrets as they are read. */
  learn(secret: string | undefined): void;
  renewed(fact: {
    readonly ms: number;
    readonly adopted: boolean;
    readonly rotated: boolean;
    readonly expiresInMs?: number;
  }): void;
  unsaved(): void;
}

const firstBackoffMs = 1000;
const longestBackoffMs = 5 * 60_000;
const calmMs = 10_000;

/** The token of one account in this process: what is sent, when it is renewed, and what a refusal means. */
export class Bearer {
  readonly #file: AccountFile;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #hooks: BearerHooks;
  #record: AccountRecord | undefined;
  #header: string | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #loadFailure: AuthError | undefined;
  #renewing: Promise<Verdict> | undefined;
  #failures = 0;
  #notBefore = 0;
  #notBeforeWhy = "";
  readonly #unsaved: Unsaved;

  constructor(file: AccountFile, clock: Clock, random: () => number, hooks: BearerHooks) {
    this.#file = file;
    this.#clock = clock;
    this.#random = random;
    this.#hooks = hooks;
    this.#unsaved = new Unsaved(file, clock);
  }

  get record(): AccountRecord | undefined {
    return this.#record;
  }

  /** Value of the Authorization header now. */
  header(): string | undefined {
    return this.#header;
  }

  /** Something to wait for before a request: the first look at the file, or a renewal ahead of the end. */
  fresh(): Promise<void> | undefined {
    if (!this.#isLoaded) return this.reload();
    const grant = this.#record?.grant;
    if (grant === undefined || isFresh(grant, this.#clock.now())) return undefined;
    if (grant.refreshToken === undefined && this.#hooks.acquire === undefined) return undefined;
    if (this.#clock.now() < this.#notBefore) return undefined;
    // Whatever comes of it, the request goes out: the old token may last, and the server will say.
    return this.#renewOnce(undefined, { status: 0 }).then(() => undefined);
  }

  /** Reads the file again; what others wrote there counts from now on. */
  reload(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** What to do about a refusal of a request that carried `sent`. */
  async refused(sent: string | undefined, refusal: Refusal): Promise<Verdict> {
    if (!this.#isLoaded || (sent === undefined && this.#header === undefined)) await this.reload();
    if (this.#loadFailure !== undefined) return verdictOfFile(this.#loadFailure);
    if (this.#header !== undefined && this.#header !== sent && refusal.resent !== true)
      return { kind: "again" };
    if (refusal.status === 403) return this.#stepUp(refusal);
    const grant = this.#record?.grant;
    const age = grant === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() - grant.obtainedAt;
    if (grant !== undefined && (refusal.resent === true || (age >= 0 && age < calmMs)))
      return this.#freshRefused(refusal, grant.issuer);
    if (this.#clock.now() < this.#notBefore)
      return {
        kind: "later",
        message: this.#notBeforeWhy,
        retryAfterMs: this.#notBefore - this.#clock.now(),
      };
    return this.#renewOnce(grant?.accessToken, refusal);
  }

  /** A record that a login of this process has just written. */
  take(record: AccountRecord | undefined): void {
    this.#isLoaded = true;
    this.#loadFailure = undefined;
    this.#record = record;
    this.#failures = 0;
    this.#notBefore = 0;
    const grant = record?.grant;
    this.#hooks.learn(grant?.accessToken);
    this.#hooks.learn(grant?.refreshToken);
    for (const { secret } of Object.values(record?.clients ?? {})) this.#hooks.learn(secret);
    this.#header = grant === undefined ? undefined : `${grant.tokenType} ${grant.accessToken}`;
  }

  async #load(): Promise<void> {
    if (this.#unsaved.isPending) return;
    try {
      const record = await this.#file.read();
      const { grant } = record ?? {};
      const isNew = grant?.accessToken !== this.#record?.grant?.accessToken;
      if (isNew || !this.#isLoaded || grant === undefined) this.take(record);
      else this.#record = record;
    } catch (error) {
      this.#isLoaded = true;
      this.#loadFailure = error instanceof AuthError ? error : new AuthError("file", String(error));
      this.#header = undefined;
    }
  }

  #renewOnce(refused: string | undefined, refusal: Refusal): Promise<Verdict> {
    this.#renewing ??= this.#renew(refused, refusal).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(refused: string | undefined, refusal: Refusal): Promise<Verdict> {
    const began = this.#clock.now();
    try {
      const { acquire } = this.#hooks;
      const canAcquire = acquire !== undefined && this.#record?.grant?.refreshToken === undefined;
      if (canAcquire) {
        this.take(await acquire(refusal));
        this.#told(began, false, true);
        return { kind: "again" };
      }
      const renewal = await this.#hooks.renew(refused);
      if (renewal.kind === "needed") {
        if (renewal.reason !== "expired") await this.reload();
        return this.#needed(renewal.reason, renewal.message, refusal);
      }
      const before = this.#record?.grant?.accessToken ?? "";
      this.take(renewal.record);
      if (renewal.kind === "renewed" && !renewal.saved) {
        this.#unsaved.keep(renewal.record, before);
        this.#hooks.unsaved();
      }
      this.#told(began, renewal.kind === "adopted", renewal.kind === "renewed" && renewal.rotated);
      return { kind: "again" };
    } catch (error) {
      const problem = error instanceof AuthError ? error : new AuthError("unreachable", String(error));
      return this.#passing(problem);
    }
  }

  #told(began: number, adopted: boolean, rotated: boolean): void {
    const now = this.#clock.now();
    const grant = this.#record?.grant;
    const left = grant === undefined ? undefined : lastsMs(grant, now);
    this.#hooks.renewed({
      ms: now - began,
      adopted,
      rotated,
      ...(left !== undefined && { expiresInMs: left }),
    });
  }

  /** Keeps everything and waits 1 s … 5 min with jitter, or as long as the server says. */
  #passing(problem: AuthError): Verdict {
    if (problem.failure === "locked" || problem.failure === "file") return verdictOfFile(problem);
    const waitMs = Math.min(firstBackoffMs * 2 ** this.#failures, longestBackoffMs);
    this.#failures += 1;
    const jittered = waitMs * (0.5 + this.#random() / 2);
    const retryAfterMs = Math.min(Math.max(problem.retryAfterMs ?? 0, jittered), 3600_000);
    this.#notBefore = this.#clock.now() + retryAfterMs;
    this.#notBeforeWhy = problem.message;
    return { kind: "later", message: problem.message, retryAfterMs };
  }

  /** No second renewal for a token that is seconds old: the server may have moved to another issuer. */
  async #freshRefused(refusal: Refusal, issuer: string): Promise<Verdict> {
    const now = await this.#hooks.issuerNow(refusal);
    if (now !== undefined && now !== issuer)
      return this.#needed("issuer-changed", "the server has moved to another authorization server", refusal);
    const why = refusal.challenge?.error === undefined ? "" : ` (${refusal.challenge.error.slice(0, 80)})`;
    return { kind: "refused", message: `it refuses a token that was issued moments ago${why}` };
  }

  #stepUp(refusal: Refusal): Verdict {
    const wanted = refusal.challenge?.scopes ?? [];
    const lacking = missing(wanted, this.#record?.grant?.scopes ?? []);
    const words = lacking.length > 0 ? lacking : wanted;
    return this.#needed("scope", `it wants more rights: ${words.join(" ") || "(unnamed)"}`, refusal);
  }

  #needed(reason: NeedReason, message: string, refusal: Refusal): Verdict {
    const scopes = union(this.#record?.grant?.requested, refusal.challenge?.scopes);
    return { kind: "needed", reason, message, scopes };
  }
}
