import type { OAuthOffer } from "../contract/service.js";
import { type Grant, requestGrant } from "../tokens/grant.js";
import type { Clock } from "../contract/clock.js";
import { AccountError } from "./errors.js";
import { openLoopback } from "./loopback.js";
import { createProof, type Proof } from "./pkce.js";
import { codeOf } from "./redirect.js";

export interface AuthorizeOptions {
  readonly offer: OAuthOffer;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly port: number;
  /** Tells the person to open the address; opens a browser where there is one. */
  readonly show: (address: string) => Promise<void>;
  /** Where no browser can reach this machine: asks for the address of the last page. */
  readonly askAddress?: () => Promise<string>;
  readonly signal?: AbortSignal;
}

/** Runs the authorization code flow with PKCE once and answers with the grant. */
export async function authorize(options: AuthorizeOptions): Promise<Grant> {
  const { offer, clientId, clientSecret, clock, timeoutMs, port, signal } = options;
  const proof = createProof();
  const cancel = signal && { signal };
  const loopback = await openLoopback({ state: proof.state, clock, timeoutMs, port, ...cancel });
  try {
    await options.show(authorizeUrl(offer, clientId, loopback.redirectUri, proof));
    const code = await (options.askAddress === undefined
      ? loopback.code
      : Promise.race([loopback.code, options.askAddress().then((text) => codeOf(text, proof.state))]));
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: loopback.redirectUri,
      client_id: clientId,
      code_verifier: proof.verifier,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    };
    return await requestGrant({ tokenUrl: offer.tokenUrl, form, clock, ...cancel });
  } finally {
    loopback.close();
  }
}

/** The address a person has to visit. */
export function authorizeUrl(
  offer: OAuthOffer,
  clientId: string,
  redirectUri: string,
  { challenge, state }: Proof,
): string {
  const url = new URL(offer.authorizeUrl);
  if (!["https:", "http:"].includes(url.protocol))
    throw new AccountError(`${offer.authorizeUrl} is no web address`);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: offer.scopes.join(offer.scopeSeparator),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...offer.extra,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
