import { join } from "node:path";
import type { Cause } from "../errors.js";
import { Account } from "./account.js";
import { Budget } from "./budget.js";
import { causeOf } from "./causes.js";
import type { AuthorizedServer, LoginWish, ServerAuthorization } from "./contract.js";
import { bearerChallenge } from "./discovery/challenge.js";
import { AuthError } from "./door/problem.js";
import type { Refusal, Verdict } from "./grants/verdict.js";
import { Logins } from "./logins.js";
import { Watch } from "./watch.js";
import type { BrokerOptions } from "./brokerOptions.js";
import { Accounts } from "./accounts.js";

/** One server with the account that it uses. */
export interface Client {
  readonly server: AuthorizedServer;
  readonly account: Account;
  /** Its last refusal: where its metadata is, and what it wants. */
  refusal: Refusal | undefined;
  needed: Extract<Verdict, { kind: "needed" }> | undefined;
}

/** Accounts and servers: who uses what, who has to log in, and what is told about it. */
export class Broker {
  readonly #options: BrokerOptions;
  readonly #accounts: Accounts;
  readonly #clients = new Map<string, Client>();
  readonly #stepUps: Budget;
  readonly #watch: Watch;
  readonly logins: Logins;

  constructor(options: BrokerOptions) {
    const { clock, home, ports } = options;
    this.#options = options;
    this.#stepUps = new Budget(clock, 3, 3600_000);
    this.#accounts = new Accounts({ ...options, sharing: (account) => this.sharing(account) });
    this.#watch = new Watch(join(home, "auth"), clock, () => this.#look());
    this.logins = new Logins(clock, ports, options.authorize);
  }

  /** Who answers the refusals of this server. A server of the same id and other words takes the place of the one before. */
  of(server: AuthorizedServer): ServerAuthorization {
    const { bearer } = this.client(server).account;
    return {
      header: () => bearer.header(),
      fresh: () => bearer.fresh(),
      renew: (sent, refusal) => {
        const challenge = bearerChallenge(refusal.challenge);
        return this.#refused(this.client(server), sent, {
          status: refusal.status,
          resent: refusal.resent,
          challenge,
        });
      },
    };
  }

  client(server: AuthorizedServer): Client {
    const known = this.#clients.get(server.id);
    if (known !== undefined && JSON.stringify(known.server) === JSON.stringify(server)) return known;
    const client: Client = {
      server,
      account: this.#accounts.of(server),
      refusal: undefined,
      needed: undefined,
    };
    this.#clients.set(server.id, client);
    return client;
  }

  /** All servers that share an account. */
  sharing(account: Account): string[] {
    return [...this.#clients.values()]
      .filter((each) => each.account === account)
      .map(({ server }) => server.id);
  }

  /** Resolves when the new grant is on disk and in use; AuthError otherwise. */
  async login(server: AuthorizedServer, wish: LoginWish = {}): Promise<void> {
    const client = this.client(server);
    const reason = client.needed?.reason ?? "asked";
    const servers = this.sharing(client.account);
    await this.logins.run(client, { servers, reason, wish });
    for (const id of servers) this.#nowAuthorized(id);
  }

  async logout(server: AuthorizedServer, keepGrant: boolean): Promise<"yes" | "no" | "unsupported"> {
    const { account } = this.client(server);
    const revoked = await account.logout(keepGrant);
    const { ports } = this.#options;
    ports.tell({ type: "mcp.auth.forgotten", id: server.id, account: account.key.account, revoked });
    for (const id of this.sharing(account)) ports.loggedOut(id);
    return revoked;
  }

  close(): void {
    this.#watch.close();
    this.logins.close();
  }

  async #refused(client: Client, sent: string | undefined, refusal: Refusal): Promise<Cause | undefined> {
    const { id } = client.server;
    client.refusal = refusal;
    const verdict = await client.account.bearer.refused(sent, refusal);
    if (verdict.kind === "again") return undefined;
    if (verdict.kind !== "later") this.#needs(client, verdict);
    if (
      verdict.kind === "needed" &&
      verdict.reason === "scope" &&
      this.#mayStepUp(client, verdict, refusal)
    ) {
      try {
        await this.login(client.server, { by: "needed", scopes: verdict.scopes });
        return undefined;
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return causeOf(id, { ...verdict, message: `${verdict.message} (${error.message})` }, refusal);
      }
    }
    return causeOf(id, verdict, refusal);
  }

  /** Somebody is asked at most once for each set of scopes, and three times an hour. */
  #mayStepUp(
    { account }: Client,
    { scopes }: { readonly scopes: readonly string[] },
    refusal: Refusal,
  ): boolean {
    const { authorize, authorizeWhen } = this.#options;
    if (authorize === undefined || authorizeWhen !== "needed" || refusal.resent === true) return false;
    const granted = account.bearer.record?.grant?.requested ?? [];
    if (scopes.every((scope) => granted.includes(scope))) return false;
    return this.#stepUps.take(account.file.path);
  }

  #needs(client: Client, verdict: Exclude<Verdict, { kind: "again" | "later" }>): void {
    const { server, account } = client;
    const before = client.needed;
    client.needed =
      verdict.kind === "needed" ? verdict : { kind: "needed", reason: "none", message: "", scopes: [] };
    const reason = verdict.kind === "needed" ? verdict.reason : verdict.kind;
    if (reason !== "scope") this.#watch.start();
    if (before?.reason === client.needed.reason) return;
    const issuer = account.bearer.record?.issuer?.issuer;
    this.#options.ports.tell({
      type: "mcp.auth.needed",
      id: server.id,
      account: account.key.account,
      reason,
      ...(issuer !== undefined && { issuer }),
      ...(client.needed.scopes.length > 0 && { scopes: client.needed.scopes }),
    });
  }

  /** Files have changed: servers that wait for tokens may have them now. */
  async #look(): Promise<boolean> {
    const waiting = [...this.#clients.values()].filter(({ needed }) => needed !== undefined);
    for (const client of waiting) {
      const before = client.account.bearer.header();
      await client.account.bearer.reload();
      const now = client.account.bearer.header();
      if (now !== undefined && now !== before) this.#nowAuthorized(client.server.id);
    }
    return [...this.#clients.values()].some(({ needed }) => needed !== undefined);
  }

  #nowAuthorized(id: string): void {
    const client = this.#clients.get(id);
    if (client !== undefined) client.needed = undefined;
    this.#options.ports.authorized(id);
  }
}
