/** Who we are at one authorization server. Plain data, kept on disk per issuer when it was registered. */
export interface Identity {
  readonly clientId: string;
  readonly authMethod: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
  readonly secret?: string;
  /** PEM of a private key (PKCS #8); from the configuration only, never stored. */
  readonly key?: string;
  /** Epoch seconds when the secret runs out. */
  readonly secretExpiresAt?: number;
  /** `configured` by a person, a client id metadata `document`, or `registered` by ourselves. */
  readonly via: "configured" | "document" | "registered";
  /** The redirect address it was registered with. */
  readonly redirectUri?: string;
}

/** Whether a registered client can still be used: its secret has not run out (a minute of grace). */
export function isUsable({ secretExpiresAt }: Identity, now: number): boolean {
  return secretExpiresAt === undefined || secretExpiresAt === 0 || secretExpiresAt * 1000 > now + 60_000;
}
