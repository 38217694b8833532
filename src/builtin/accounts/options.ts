import type { Clock } from "../contract/clock.js";
import { isServiceId, type ServiceId, serviceIds } from "../contract/ids.js";
import type { OAuthOffer, Service } from "../contract/service.js";
import { serviceOf } from "../services/table.js";
import type { StoreOptions } from "../tokens/store.js";
import { AccountError } from "./errors.js";

/** What all account commands take. */
export interface AccountOptions extends StoreOptions {
  /** Time of day, for the ends of tokens; the real one by default. */
  readonly clock?: Clock;
  readonly service: string;
  /** Other authorization servers and APIs (GitHub Enterprise, tests). */
  readonly urls?: {
    readonly api?: string;
    readonly authorize?: string;
    readonly token?: string;
    readonly revoke?: string;
  };
}

export interface ConnectOptions extends AccountOptions {
  /** A token in hand; without it OAuth is used where the service offers it and a client id is known, else it is asked for. */
  readonly token?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Further fields of the service: `url` of Supabase, `team` of Vercel. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Asks for something secret; the terminal's hidden prompt if left out. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Asks for something that may be seen; `askHidden` if left out. */
  readonly ask?: (question: string) => Promise<string>;
  /** Tells the person something; stderr if left out. */
  readonly say?: (line: string) => void;
  /** Opens a browser; false when it cannot. */
  readonly open?: (address: string) => Promise<boolean>;
  /** No browser can reach this machine: the address of the last page is asked for. */
  readonly headless?: boolean;
  readonly port?: number;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** The service a person named; AccountError with the list when there is none. */
export function findService(name: string): Service {
  if (isServiceId(name)) return serviceOf(name);
  throw new AccountError(`there is no service "${name}"; one of: ${serviceIds.join(", ")}`);
}

/** The service's OAuth endpoints, with other addresses in their place. */
export function offerOf(service: Service, urls: AccountOptions["urls"] = {}): OAuthOffer | undefined {
  const { oauth } = service;
  if (oauth === undefined) return undefined;
  return {
    ...oauth,
    authorizeUrl: urls.authorize ?? oauth.authorizeUrl,
    tokenUrl: urls.token ?? oauth.tokenUrl,
    revoke: { ...oauth.revoke, url: urls.revoke ?? oauth.revoke.url },
  };
}

/** An account as it may be shown: no secrets. */
export interface AccountSummary {
  readonly service: ServiceId;
  readonly label: string;
  readonly kind: "oauth" | "token" | "env";
  readonly keptIn: "file" | "keyring" | "environment";
  readonly connectedAt?: string;
  readonly expiresAt?: string;
  readonly scopes?: readonly string[];
}
