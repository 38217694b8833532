import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadKeyring } from "../keep/keyring.js";
import { createSealer } from "../keep/seal.js";
import { Account } from "./account.js";
import type { BrokerOptions } from "./brokerOptions.js";
import { registrationBudget } from "./budget.js";
import type { AuthorizedServer } from "./contract.js";
import { AuthError } from "./door/problem.js";
import { fileName } from "./grants/store.js";
import { keyOf } from "./servers.js";

/** What accounts are made of, and who uses each. */
export interface AccountsOptions extends BrokerOptions {
  /** The servers that share an account. */
  sharing(account: Account): readonly string[];
}

/** The accounts of one supervisor, each made when its first server is asked about. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #known = new Map<string, Account>();
  readonly #registering: (issuer: string) => void;
  readonly #sealer: ReturnType<typeof createSealer> | undefined;

  constructor(options: AccountsOptions) {
    const { clock, home, keep = "auto" } = options;
    this.#options = options;
    this.#registering = registrationBudget(clock);
    const keyName = `authorization@${createHash("sha256").update(home).digest("hex").slice(0, 12)}`;
    this.#sealer =
      keep === "file"
        ? undefined
        : createSealer({ keyName, loadKeyring: options.loadKeyring ?? loadKeyring });
  }

  /** The account of a server: that of its address, under the name that its entry gives it. */
  of(server: AuthorizedServer): Account {
    const { oauth } = server;
    const key = keyOf(server);
    const name = `${fileName(key)} ${JSON.stringify(oauth ?? {})}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { home, clock, random, userAgent, ports } = this.#options;
    const tellAll = (tell: (id: string) => void): void => this.#options.sharing(account).forEach(tell);
    const account: Account = new Account({
      home,
      key,
      clock,
      random,
      userAgent,
      sealer: this.#sealer,
      words:
        oauth?.clientKey === undefined ? (oauth ?? {}) : { ...oauth, clientKey: readKey(oauth.clientKey) },
      ears: {
        learn: (secret) => tellAll((id) => ports.learn(id, secret)),
        renewed: (fact) =>
          tellAll((id) => ports.tell({ type: "mcp.auth.renewed", id, account: key.account, ...fact })),
        unsaved: () => tellAll((id) => ports.tell({ type: "mcp.auth.unsaved", id })),
        registering: this.#registering,
      },
    });
    this.#known.set(name, account);
    return account;
  }
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new AuthError("unsupported", `oauth.clientKey: ${path} cannot be read (${code})`, { cause: error });
  }
}
