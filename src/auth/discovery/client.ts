import type { Clock } from "../../clock.js";
import { checkedBody } from "../door/answer.js";
import type { Ask } from "../door/ask.js";
import { type Identity, isUsable } from "./identity.js";
import type { Issuer } from "./issuer.js";
import { requiredText, textAt, textsAt } from "../door/json.js";
import { AuthError } from "../door/problem.js";

/** What the entry of a server says about who we are. */
export interface ConfiguredClient {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** PEM text. */
  readonly clientKey?: string | undefined;
  readonly clientMetadataUrl?: string | undefined;
}

export interface ClientQuestion {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly configured: ConfiguredClient;
  /** The registration that is kept for this issuer. */
  readonly stored?: Identity | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly deviceFlow: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told before each registration; throws when there were too many. */
  readonly registering?: () => void;
}

const registrationMs = 20_000;

/** Who we are there (MCP 2025-11-25): configured, then a metadata document, then the kept or a new registration. */
export async function identify(question: ClientQuestion): Promise<Identity> {
  const { issuer, configured, stored, clock, redirectUri } = question;
  const known = configuredIdentity(configured, issuer);
  if (known !== undefined) return known;
  const document = configured.clientMetadataUrl;
  if (document !== undefined && issuer.takesDocuments)
    return { clientId: document, authMethod: "none", via: "document" };
  if (
    stored !== undefined &&
    isUsable(stored, clock.now()) &&
    (stored.redirectUri ?? redirectUri) === redirectUri
  )
    return stored;
  if (issuer.registrationEndpoint === undefined)
    throw new AuthError(
      "no-client",
      `${issuer.issuer} does not let clients register themselves: create an OAuth client there with the redirect ` +
        `address ${redirectUri} and put its id into the entry as "oauth": { "clientId": "…" }`,
    );
  question.registering?.();
  return register(question, issuer.registrationEndpoint);
}

/** The client that a person registered. */
export function configuredIdentity(configured: ConfiguredClient, issuer: Issuer): Identity | undefined {
  const { clientId, clientSecret: secret, clientKey: key } = configured;
  if (clientId === undefined) return undefined;
  if (key !== undefined) return { clientId, key, authMethod: "private_key_jwt", via: "configured" };
  if (secret === undefined) return { clientId, authMethod: "none", via: "configured" };
  const methods = issuer.tokenAuthMethods ?? ["client_secret_basic"];
  const isPost = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
  return {
    clientId,
    secret,
    authMethod: isPost ? "client_secret_post" : "client_secret_basic",
    via: "configured",
  };
}

/** Dynamic registration (RFC 7591). */
async function register(question: ClientQuestion, url: string): Promise<Identity> {
  const { ask, clock, issuer, redirectUri, scopes, signal } = question;
  const what = `the client registration of ${issuer.issuer}`;
  const answer = await ask({
    method: "POST",
    url,
    what,
    timeoutMs: registrationMs,
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "mcpvisor",
      application_type: "native",
      redirect_uris: [redirectUri],
      grant_types: grantTypes(question),
      response_types: ["code"],
      token_endpoint_auth_method: methodToRegister(issuer.tokenAuthMethods),
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    }),
  });
  const body = refusing(() => checkedBody(answer, clock.now(), what), redirectUri);
  const clientId = requiredText(body, "client_id", what);
  const secret = textAt(body, "client_secret", what);
  const given = textsAt(body, "redirect_uris");
  if (given !== undefined && !given.includes(redirectUri))
    throw new AuthError(
      "registration-refused",
      `${what} changed the redirect address ${redirectUri}; nothing of it is used`,
    );
  const expires = body["client_secret_expires_at"];
  return {
    clientId,
    via: "registered",
    redirectUri,
    authMethod: registeredMethod(textAt(body, "token_endpoint_auth_method", what), secret, issuer),
    ...(secret !== undefined && { secret }),
    ...(typeof expires === "number" && expires > 0 && { secretExpiresAt: expires }),
  };
}

function grantTypes({ deviceFlow }: ClientQuestion): string[] {
  const device = deviceFlow ? ["urn:ietf:params:oauth:grant-type:device_code"] : [];
  return ["authorization_code", "refresh_token", ...device];
}

function methodToRegister(supported: readonly string[] | undefined): Identity["authMethod"] {
  const order = ["none", "client_secret_basic", "client_secret_post"] as const;
  return order.find((method) => supported?.includes(method) ?? true) ?? "none";
}

/** The method of the answer; without one, what the secret and the metadata suggest. */
function registeredMethod(
  named: string | undefined,
  secret: string | undefined,
  issuer: Issuer,
): Identity["authMethod"] {
  if (secret === undefined) return "none";
  if (named === "client_secret_post" || named === "client_secret_basic" || named === "none") return named;
  const methods = issuer.tokenAuthMethods ?? [];
  return methods.includes("client_secret_post") && !methods.includes("client_secret_basic")
    ? "client_secret_post"
    : "client_secret_basic";
}

function refusing<T>(read: () => T, redirectUri: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AuthError) || error.failure === "unreachable") throw error;
    const where = error.oauthError === "invalid_redirect_uri" ? ` (redirect address ${redirectUri})` : "";
    throw new AuthError(
      "registration-refused",
      `${error.message}${where}. Register a client there by hand and put its id into the entry as "oauth": { "clientId": "…" }`,
      { cause: error, ...(error.oauthError !== undefined && { oauthError: error.oauthError }) },
    );
  }
}
