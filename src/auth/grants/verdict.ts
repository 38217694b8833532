import type { BearerChallenge } from "../discovery/challenge.js";
import type { AuthError } from "../door/problem.js";
import type { NeedReason } from "./record.js";

/** A server's refusal of a request. */
export interface Refusal {
  readonly status: number;
  readonly challenge?: BearerChallenge | undefined;
  /** The request was sent a second time already, with a new token. */
  readonly resent?: boolean;
}

/** What follows from a refusal. */
export type Verdict =
  /** There is another token now: send the request once more. */
  | { readonly kind: "again" }
  /** Only a person can help. `scopes` are all to ask for. */
  | {
      readonly kind: "needed";
      readonly reason: NeedReason;
      readonly message: string;
      readonly scopes: readonly string[];
    }
  /** A token that was got a moment ago is refused. */
  | { readonly kind: "refused"; readonly message: string }
  /** The keyring does not give the key of this account. */
  | { readonly kind: "locked"; readonly message: string }
  /** The authorization server does not answer; what is stored stays. */
  | { readonly kind: "later"; readonly message: string; readonly retryAfterMs?: number };

/** What a file that cannot be used means for a refusal. */
export function verdictOfFile({ failure, message }: AuthError): Verdict {
  if (failure === "locked") return { kind: "locked", message };
  return { kind: "needed", reason: "none", message, scopes: [] };
}
