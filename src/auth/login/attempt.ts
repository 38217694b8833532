import { randomBytes } from "node:crypto";
import type { TokenSet } from "../door/answer.js";
import type { Ask } from "../door/ask.js";
import type { Clock } from "../../clock.js";
import { judgeCallback, type Judged } from "./callback.js";
import { identify } from "../discovery/client.js";
import type { Found } from "../discovery/discover.js";
import { requestTokens } from "../grants/grants.js";
import { type Identity, isUsable } from "../discovery/identity.js";
import { type Loopback, listenOnLoopback, type Page } from "./loopback.js";
import { AuthError } from "../door/problem.js";
import type { OAuthWords } from "../discovery/words.js";

export interface AttemptInput {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly words: OAuthWords;
  readonly found: Found;
  readonly scopes: readonly string[];
  /** The client that is registered with this issuer. */
  readonly stored?: Identity | undefined;
  /** Ask the person again although they agreed before. */
  readonly consent: boolean;
  readonly learn: (secret: string | undefined) => void;
  readonly registering: () => void;
  readonly signal: AbortSignal;
  /** What the browser's answer led to, for its page. */
  readonly called: (address: string) => Promise<Page>;
}

/** A login whose address can be opened now. */
export interface Attempt {
  readonly url: string;
  readonly redirectUri: string;
  readonly client: Identity;
  judge(address: string): Promise<Judged>;
  redeem(code: string): Promise<TokenSet>;
  close(): Promise<void>;
}

/**
 * Prepares one login with a code (RFC 6749, 4.1, with PKCE): the listener is bound before the client is registered, and
 * both before there is an address to open.
 */
export async function prepareAttempt(input: AttemptInput): Promise<Attempt> {
  const { found, words, clock, ask, signal, learn, scopes } = input;
  const { issuer } = found;
  const endpoint = issuer.authorizationEndpoint;
  if (endpoint === undefined)
    throw new AuthError("unsupported", `${issuer.issuer} has no authorization_endpoint; try the device flow`);
  checkPkce(input);
  const listener = await openListener(input);
  try {
    const redirectUri = listener?.redirectUri ?? (words.redirect as string);
    const client = await identify({
      ask,
      clock,
      issuer,
      configured: words,
      stored: input.stored,
      redirectUri,
      scopes,
      deviceFlow: issuer.deviceEndpoint !== undefined,
      registering: input.registering,
      signal,
    });
    const lib = await import("oauth4webapi");
    const state = lib.generateRandomState();
    const verifier = lib.generateRandomCodeVerifier();
    for (const secret of [state, verifier, client.secret]) learn(secret);
    const challenge = await lib.calculatePKCECodeChallenge(verifier);
    const sent = { issuer, clientId: client.clientId, state, redirectUri };
    return {
      redirectUri,
      client,
      url: addressOf(endpoint, input, { client, redirectUri, state, challenge }),
      judge: (address) => judgeCallback(address, sent),
      redeem: (code) => {
        learn(code);
        const counter = { ask, clock, issuer, client, signal };
        const parameters = {
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          resource: found.resource,
        };
        return requestTokens(counter, "authorization_code", parameters);
      },
      close: async () => listener?.close(),
    };
  } catch (error) {
    await listener?.close();
    throw error;
  }
}

function checkPkce({ found: { issuer }, words }: AttemptInput): void {
  const methods = issuer.pkceMethods;
  if (methods?.includes("S256") === true) return;
  if (methods === undefined && words.pkce === "assume") return;
  const says = methods === undefined ? "does not say that it checks PKCE" : "does not offer S256";
  const way =
    methods === undefined
      ? `. If you know that it does, put "oauth": { "pkce": "assume" } into the entry`
      : "";
  throw new AuthError("no-pkce", `${issuer.issuer} ${says} (code_challenge_methods_supported)${way}`);
}

/** Undefined where the answer comes to an https address that somebody else serves. */
async function openListener({
  words,
  found,
  stored,
  called,
  clock,
}: AttemptInput): Promise<Loopback | undefined> {
  const { redirect } = words;
  if (typeof redirect === "string") return undefined;
  const isRegistering = words.clientId === undefined;
  // The port of the kept registration, as long as it is free and the registration is good.
  const kept =
    isRegistering && stored !== undefined && isUsable(stored, clock.now()) ? stored.redirectUri : undefined;
  const before = kept === undefined ? undefined : new URL(kept);
  const host = redirect?.host ?? "127.0.0.1";
  const path = redirect?.path ?? before?.pathname ?? newPath(isRegistering && !found.issuer.sendsIss);
  const wanted = redirect?.port ?? Number(before?.port ?? 0);
  try {
    return await listenOnLoopback({ host, port: wanted, path, called });
  } catch (error) {
    // A registered port may be busy; a configured one must be had.
    if (redirect?.port !== undefined || wanted === 0) throw error;
    return listenOnLoopback({ host, port: 0, path: newPath(!found.issuer.sendsIss), called });
  }
}

/** Where answers carry no `iss`, an address of its own keeps those of two servers apart. */
function newPath(isOwn: boolean): string {
  return isOwn ? `/callback/${randomBytes(9).toString("base64url")}` : "/callback";
}

interface AddressParts {
  readonly client: Identity;
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string;
}

function addressOf(endpoint: string, input: AttemptInput, parts: AddressParts): string {
  const { words, scopes, found, consent } = input;
  const url = new URL(endpoint);
  const query = url.searchParams;
  for (const [name, value] of Object.entries(words.authorizeParams ?? {})) query.set(name, value);
  query.set("response_type", "code");
  query.set("client_id", parts.client.clientId);
  query.set("redirect_uri", parts.redirectUri);
  query.set("state", parts.state);
  query.set("code_challenge", parts.challenge);
  query.set("code_challenge_method", "S256");
  if (scopes.length > 0) query.set("scope", scopes.join(" "));
  if (found.resource !== undefined) query.set("resource", found.resource);
  const asks = consent || scopes.includes("offline_access");
  if (asks && !query.has("prompt")) query.set("prompt", "consent");
  if (url.href.length > 8192) throw new AuthError("bad-answer", "the address to open is longer than 8 KiB");
  return url.href;
}
