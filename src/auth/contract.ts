import type { Cause } from "../errors.js";
import type { FactBody } from "../events.js";
import type { OAuthSettings } from "../spec.js";

/** A server as authorization knows it. */
export interface AuthorizedServer {
  readonly id: string;
  readonly url: string;
  readonly oauth: OAuthSettings | undefined;
  /** The project file that the entry comes from: its accounts are its own. */
  readonly project: string | undefined;
}

/** What a person is shown, and may do, in a login. */
export interface AuthorizeRequest {
  /** Id of this login. */
  readonly login: string;
  /** Ids of the servers that share the account. */
  readonly servers: readonly string[];
  /** Name of the account. */
  readonly account: string;
  /** The authorization server that is asked, as it names itself. */
  readonly issuer: string;
  /** What it is asked for. */
  readonly scopes: readonly string[];
  /** Of these the ones that were not asked for before. */
  readonly newScopes: readonly string[];
  /** Why there is no token that works; `asked` when somebody just wants to log in. */
  readonly reason: "asked" | "none" | "expired" | "revoked" | "scope" | "client" | "issuer-changed";
  /** To be opened in a browser; absent in the device flow. */
  readonly url?: string;
  /** Device flow: what to enter. */
  readonly userCode?: string;
  /** Device flow: where to enter it. */
  readonly verificationUri?: string;
  /** Device flow: the same address with the code in it, where the server gives one. */
  readonly verificationUriComplete?: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Takes the whole address that a browser ended at; says whether it was used, and if not, why. */
  readonly answer: (callbackUrl: string) => Promise<{
    /** It has led to tokens. */
    readonly ok: boolean;
    /** What came of it, for people. */
    readonly text: string;
  }>;
}

/** Shows a login to a person. A text is the address that the browser ended at. */
export type Authorize = (
  request: AuthorizeRequest,
  signal: AbortSignal,
) => string | void | Promise<string | void>;

export interface LoginWish {
  readonly scopes?: readonly string[];
  readonly device?: boolean;
  readonly newClient?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly show?: Authorize;
  readonly by?: "asked" | "needed";
}

export type AuthFact = Extract<FactBody, { type: `mcp.auth.${string}` }>;

export interface BrokerPorts {
  tell(fact: AuthFact): void;
  /** A secret of this server from now on. */
  learn(id: string, secret: string): void;
  /** There are tokens that work now. */
  authorized(id: string): void;
  /** The tokens of this server are gone by somebody's wish. */
  loggedOut(id: string): void;
}

/** Authorization of one server as a transport needs it. */
export interface ServerAuthorization {
  header(): string | undefined;
  fresh(): Promise<void> | undefined;
  renew(
    sent: string | undefined,
    refusal: {
      readonly status: number;
      readonly challenge: string | readonly string[] | undefined;
      readonly resent: boolean;
    },
  ): Promise<Cause | undefined>;
}
