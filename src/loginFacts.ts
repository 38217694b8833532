/** Facts about tokens and logins (docs/authorization.md); no secrets. */
export type LoginFactBody =
  | {
      /** A server wants tokens that only a person can give. Told once per reason. */
      readonly type: "mcp.auth.needed";
      /** Id of the server. */
      readonly id: string;
      /** Name of the account. */
      readonly account: string;
      /** The authorization server, where it is known. */
      readonly issuer?: string;
      /** What is wrong with the tokens there are. */
      readonly reason:
        | "none"
        | "expired"
        | "revoked"
        | "scope"
        | "client"
        | "issuer-changed"
        | "refused"
        | "locked";
      /** Scopes that a login would ask for. */
      readonly scopes?: readonly string[];
    }
  | {
      /** A login has begun. */
      readonly type: "mcp.auth.started";
      /** Id of the login. */
      readonly login: string;
      /** Id of the server. */
      readonly id: string;
      /** With a browser, or by a code that is entered elsewhere. */
      readonly how: "browser" | "device";
      /** Whether somebody asked for it, or the server needed it. */
      readonly by: "asked" | "needed";
    }
  | {
      /** A login is over. */
      readonly type: "mcp.auth.settled";
      /** Id of the login. */
      readonly login: string;
      /** Id of the server. */
      readonly id: string;
      /** There are new tokens on disk. */
      readonly ok: boolean;
      /** Why not, in one sentence. */
      readonly failure?: string;
      /** How long it took, in milliseconds. */
      readonly ms: number;
    }
  | {
      /** There is a new token without a person's doing. */
      readonly type: "mcp.auth.renewed";
      /** Id of the server. */
      readonly id: string;
      /** Name of the account. */
      readonly account: string;
      /** How long it took, in milliseconds. */
      readonly ms: number;
      /** Another process had done it. */
      readonly adopted: boolean;
      /** The refresh token is another one now. */
      readonly rotated: boolean;
      /** How long the token lasts, in milliseconds, where that is known. */
      readonly expiresInMs?: number;
    }
  | {
      /** A renewed token could not be written to disk; it serves from memory, and is tried again every 5 s. */
      readonly type: "mcp.auth.unsaved";
      /** Id of the server. */
      readonly id: string;
    }
  | {
      /** Somebody has logged out. */
      readonly type: "mcp.auth.forgotten";
      /** Id of the server. */
      readonly id: string;
      /** Name of the account. */
      readonly account: string;
      /** Whether the authorization server has taken the tokens back. */
      readonly revoked: "yes" | "no" | "unsupported";
    };
