import type { Client } from "./client.js";
import type { Account } from "./account.js";
import type { ProblemKind } from "./problem.js";
import type { ServiceId } from "./ids.js";

/** What an answer's body says went wrong. */
export interface Complaint {
  /** The service's own words or code, for people and models. */
  readonly text: string;
  /** Set where the body says more than the HTTP status. */
  readonly kind?: ProblemKind;
}

/** How an account of a service comes by OAuth (authorization code with PKCE, RFC 6749 and RFC 7636). */
export interface OAuthOffer {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** RFC 7009, or GitHub's own way. */
  readonly revoke: { readonly kind: "rfc7009" | "github"; readonly url: string };
  readonly scopes: readonly string[];
  readonly scopeSeparator: string;
  /** Extra parameters of the authorization request. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Where a person registers a client of their own. */
  readonly clientPage: string;
  /** Whether a client secret is asked for as well. */
  readonly needsSecret: boolean;
}

/** One service as data: how to reach it, how to sign requests, how to read its complaints, how to connect to it. */
export interface Service {
  readonly id: ServiceId;
  readonly name: string;
  /** Absent where every customer has an own address, kept in the account's field `url`. */
  readonly baseUrl?: string;
  headers(account: Account): Readonly<Record<string, string>>;
  /** Reads an answer's body; undefined when it complains about nothing. Called for every status. */
  complaint(body: unknown, status: number): Complaint | undefined;
  /** Asks the service whose token this is; the label of the account. */
  whoAmI(client: Client): Promise<string>;
  readonly oauth?: OAuthOffer;
  /** Where tokens are made; absent when only OAuth is possible. */
  readonly token?: { readonly page: string; readonly hint: string };
  /** What else has to be known. */
  readonly fields?: readonly {
    readonly name: string;
    readonly prompt: string;
    readonly required: boolean;
  }[];
}
