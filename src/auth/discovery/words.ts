/** `oauth` of an entry, with every default filled in that does not depend on the server. */
export interface OAuthWords {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** PEM text of the key behind `clientKey`. */
  readonly clientKey?: string | undefined;
  readonly clientMetadataUrl?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly account?: string | undefined;
  readonly grant?: "code" | "client_credentials" | "device" | undefined;
  readonly redirect?:
    | string
    | { readonly host?: string; readonly port?: number; readonly path?: string }
    | undefined;
  readonly issuer?: string | undefined;
  readonly resource?: string | false | undefined;
  readonly pkce?: "assume" | undefined;
  readonly authorizeParams?: Readonly<Record<string, string>> | undefined;
}
