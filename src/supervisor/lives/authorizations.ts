import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Broker } from "../../auth/broker.js";
import type { Authorize, LoginWish, ServerAuthorization } from "../../auth/contract.js";
import { authorizedServer } from "../../auth/servers.js";
import type { Cause } from "../../errors.js";
import { createMasker } from "../../policy/secrets.js";
import type { ServerSpec } from "../../spec.js";
import type { Authorization } from "../../transport/authorization.js";
import type { AccountStatus } from "../contract/account.js";
import type { ServerRecord } from "../state/serverRecord.js";
import type { Settings } from "../state/settings.js";
import type { SharedState } from "../state/sharedState.js";

/** More secrets than these of one server are of tokens that ended long ago. */
const mostLearned = 200;

export interface AuthorizationOptions {
  readonly authorize: Authorize | undefined;
  readonly authorizeWhen: "asked" | "needed";
}

/** Authorization of all servers of a fleet; nothing of it is loaded before a server wants a token or an account is kept. */
export class Authorizations {
  readonly #shared: SharedState;
  readonly #settings: Settings;
  readonly #options: AuthorizationOptions;
  #broker: Promise<Broker> | undefined;
  #loaded: Broker | undefined;

  constructor(shared: SharedState, settings: Settings, options: AuthorizationOptions) {
    this.#shared = shared;
    this.#settings = settings;
    this.#options = options;
    if (options.authorize !== undefined && options.authorizeWhen === "needed") this.#askWhenNeeded();
  }

  /** Undefined for servers that have their own Authorization header, or want no tokens. */
  of(spec: ServerSpec): Authorization | undefined {
    const server = authorizedServer(spec);
    if (server === undefined) return undefined;
    let own: ServerAuthorization | undefined;
    let isNew = true;
    const load = async (): Promise<ServerAuthorization> => (own ??= (await this.broker()).of(server));
    return {
      header: () => own?.header(),
      fresh: () => {
        if (own !== undefined) return own.fresh();
        if (!isNew) return undefined;
        isNew = false;
        if (!existsSync(join(this.#settings.home, "auth"))) return undefined;
        return load().then((loaded) => loaded.fresh());
      },
      renew: async (sent, refusal) => (await load()).renew(sent, refusal),
    };
  }

  /** Resolves when there are new tokens; rejects with AuthError. A parked server is shown as `authorizing` meanwhile. */
  async login(record: ServerRecord, wish: LoginWish): Promise<void> {
    const server = authorizedServer(record.spec);
    if (server === undefined)
      throw new Error(
        `server "${record.id}" takes no tokens: it has no url, an Authorization header, or oauth: false`,
      );
    record.actor?.send({ type: "authorize" });
    try {
      await (await this.broker()).login(server, wish);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const cause: Cause = {
        kind: "needs-authorization",
        message: record.mask(`server "${record.id}" needs a login; the last one failed: ${why}`),
      };
      // A stop of the supervisor ends logins, too: nobody is left to be told.
      if (record.actor?.getSnapshot().status === "active") record.actor.send({ type: "unauthorized", cause });
      throw error;
    }
  }

  async logout(record: ServerRecord, keepGrant: boolean): Promise<"yes" | "no" | "unsupported"> {
    const server = authorizedServer(record.spec);
    return server === undefined ? "no" : (await this.broker()).logout(server, keepGrant);
  }

  /** Read from its file: what another process did counts, too. */
  async account({ spec }: ServerRecord): Promise<AccountStatus | undefined> {
    const server = authorizedServer(spec);
    if (server === undefined) return undefined;
    const { overviewOf } = await import("../../auth/overview.js");
    // The address may hold a key; it stands, masked, in the status of the server.
    const { url: _, ...account } = await overviewOf(this.#settings.home, server);
    return account;
  }

  close(): void {
    this.#loaded?.close();
  }

  broker(): Promise<Broker> {
    return (this.#broker ??= this.#load());
  }

  async #load(): Promise<Broker> {
    const { Broker: Loaded } = await import("../../auth/broker.js");
    const { home, clock, random } = this.#settings;
    const { bus } = this.#shared;
    this.#loaded = new Loaded({
      home,
      clock,
      random,
      ...this.#options,
      ports: {
        tell: (fact) => bus.publish(fact),
        learn: (id, secret) => this.#learn(id, secret),
        authorized: (id) => this.#shared.records.get(id)?.actor?.send({ type: "authorized" }),
        // Without a token nothing takes over: the old life ends first, or it would stay for want of a successor.
        loggedOut: (id) => {
          bus.order({ type: "server.disconnect", id });
          bus.order({ type: "server.restart", id });
        },
      },
    });
    return this.#loaded;
  }

  #learn(id: string, secret: string): void {
    const record = this.#shared.records.get(id);
    if (record === undefined || record.learned.has(secret)) return;
    record.learned.add(secret);
    const [oldest] = record.learned;
    if (record.learned.size > mostLearned && oldest !== undefined) record.learned.delete(oldest);
    record.mask = createMasker([
      ...record.spec.secrets,
      ...(record.life?.spec.secrets ?? []),
      ...record.learned,
    ]);
  }

  /** Hosts that asked for it: a server that parks for want of tokens begins a login by itself, not again for 10 min. */
  #askWhenNeeded(): void {
    const asked = new Map<string, number>();
    this.#shared.bus.listen((fact) => {
      if (fact.type !== "mcp.state" || fact.to !== "parked" || fact.cause.kind !== "needs-authorization")
        return;
      const now = this.#shared.clock.now();
      if (fact.from === "authorizing" || now - (asked.get(fact.id) ?? Number.NEGATIVE_INFINITY) < 1000)
        return;
      asked.set(fact.id, now);
      const record = this.#shared.records.get(fact.id);
      // What became of it is told as a fact and stands in the state of the server.
      if (record !== undefined)
        queueMicrotask(() => void this.login(record, { by: "needed" }).catch(() => undefined));
    });
  }
}
