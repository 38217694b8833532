import type { Clock } from "../../clock.js";
import type { Ask } from "../door/ask.js";
import type { BearerChallenge } from "../discovery/challenge.js";
import type { DeviceCode } from "../grants/device.js";
import type { Found } from "../discovery/discover.js";
import type { Identity } from "../discovery/identity.js";
import type { Page } from "./loopback.js";
import type { AccountFile, AccountKey } from "../grants/store.js";
import type { OAuthWords } from "../discovery/words.js";

export interface LoginInput {
  readonly key: AccountKey;
  readonly file: AccountFile;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly words: OAuthWords;
  readonly challenge?: BearerChallenge | undefined;
  /** Beyond what the server and the entry ask for. */
  readonly scopes?: readonly string[] | undefined;
  readonly device: boolean;
  /** Register anew although a client is kept. */
  readonly newClient: boolean;
  readonly learn: (secret: string | undefined) => void;
  readonly registering: (issuer: string) => void;
  /** Called once, when there is something that a person can do. */
  readonly show: (shown: Shown) => void;
  readonly signal: AbortSignal;
}

/** What a person sees of a login. */
export interface Shown {
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Of these the ones that were not asked for before. */
  readonly newScopes: readonly string[];
  /** To be opened in a browser; absent in the device flow. */
  readonly url?: string;
  readonly redirectUri?: string;
  readonly device?: DeviceCode;
  /** Takes the whole address that the browser ended at. The page says what came of it. */
  readonly answer: (address: string) => Promise<Page>;
}

/** A login once it is known where it goes. */
export interface LoginContext {
  readonly input: LoginInput;
  readonly found: Found;
  readonly scopes: readonly string[];
  readonly newScopes: readonly string[];
  readonly stored: Identity | undefined;
  readonly consent: boolean;
}
