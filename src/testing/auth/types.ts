/** A request that came to the fake authorization server or to the server that it protects. */
export interface FakeAuthRequest {
  /** Which of the two it came to. */
  readonly side: "auth" | "resource";
  /** Its HTTP method. */
  readonly method: string;
  /** Its path, without the query. */
  readonly path: string;
  /** Its query. */
  readonly query: URLSearchParams;
  /** Its headers, by lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Form fields, or the JSON body's. */
  readonly form: Readonly<Record<string, unknown>>;
  /** How many requests of this path there were before. */
  readonly before: number;
}

/** An answer in place of the right one. */
export type FakeAuthReply =
  | {
      /** Its HTTP status. Default: 200. */
      readonly status?: number;
      /** Headers besides those of the body. Default: none. */
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      /** Objects are sent as JSON, texts as they are. */
      readonly body?: unknown;
    }
  /** The connection is cut before anything is done. */
  | "reset-before"
  /** The connection is cut after it was done and before the answer. */
  | "reset-after"
  /** The request is taken and never answered. */
  | "silence"
  /** A body that does not end. */
  | "endless";

/** Looks at each request first; undefined lets it have the right answer. */
export type Interceptor = (request: FakeAuthRequest) => FakeAuthReply | undefined;

/** How the fake authorization server behaves; all of them may be left out. */
export interface FakeAuthOptions {
  /** Epoch ms for the ages of tokens; real time otherwise. */
  readonly now?: () => number;
  /** `strict`: a used refresh token ends its family. `grace`: within `graceMs` it gets the same answer again. `none`: it stays. Default strict. */
  readonly rotation?: "strict" | "grace" | "none";
  /** Default 10,000. */
  readonly graceMs?: number;
  /** Seconds; default 3600. Any other value is sent as it is, and tokens then last for ever. */
  readonly expiresIn?: unknown;
  /** Path of the issuer. Default none. */
  readonly issuerPath?: string;
  /** Put over the authorization server metadata (RFC 8414, 2); `undefined` takes a field out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Put over the protected resource metadata (RFC 9728, 2); `undefined` takes a field out. */
  readonly resourceMetadata?: Readonly<Record<string, unknown>>;
  /** `resource_metadata` in challenges. Default true. */
  readonly advertise?: boolean;
  /** Scopes that every request needs. Default: none. */
  readonly scopes?: readonly string[];
  /** Scopes that the tool `write` needs besides. Default: none. */
  readonly writeScopes?: readonly string[];
  /** `registered`: anybody may. `none`: no registration. */
  readonly registration?: boolean;
  /** Clients that exist from the start. */
  readonly clients?: Readonly<Record<string, string | undefined>>;
  /** Answers in place of the right ones; can be exchanged while it runs. */
  readonly intercept?: Interceptor;
  /** Changes the address that the browser is sent back to; null sends it nowhere. */
  readonly callback?: (answer: URL) => URL | null;
}
