import type { Cause } from "../errors.js";

/** A server's refusal of a request. */
export interface Refusal {
  readonly status: number;
  /** WWW-Authenticate, every line of it. */
  readonly challenge: string | readonly string[] | undefined;
  /** The request was sent a second time already, with a new token. */
  readonly resent: boolean;
}

/** Where the tokens of one server come from. All that a transport knows of authorization. */
export interface Authorization {
  /** Value of the Authorization header now; asked for each request. */
  header(): string | undefined;
  /** Something to wait for before a request goes out. */
  fresh(): Promise<void> | undefined;
  /** `sent` was refused. Undefined: there is another token, send it again. Else why not. */
  renew(sent: string | undefined, refusal: Refusal): Promise<Cause | undefined>;
}
