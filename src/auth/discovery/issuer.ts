import { checkedUrl } from "../door/address.js";
import type { Answer, Ask } from "../door/ask.js";
import { objectOf, requiredText, textsAt, urlAt } from "../door/json.js";
import { AuthError, quoted } from "../door/problem.js";
import { scopesOf } from "./scopes.js";

/** What is used of an authorization server's metadata (RFC 8414, OpenID Connect Discovery). Plain data, kept on disk. */
export interface Issuer {
  readonly issuer: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly deviceEndpoint?: string;
  readonly scopes?: readonly string[];
  readonly grantTypes?: readonly string[];
  readonly tokenAuthMethods?: readonly string[];
  readonly signingAlgs?: readonly string[];
  readonly dpopAlgs?: readonly string[];
  readonly pkceMethods?: readonly string[];
  /** It sends `iss` with every answer (RFC 9207). */
  readonly sendsIss: boolean;
  /** It takes the address of a metadata document as client id. */
  readonly takesDocuments: boolean;
}

export interface IssuerQuestion {
  readonly ask: Ask;
  /** As the resource wrote it; builds the addresses. */
  readonly issuer: string;
  /** What the document must carry, when a person configured it to differ. */
  readonly expected?: string | undefined;
  /** The issuer is a guess from the server's origin (MCP 2025-03-26): default endpoints stand in for metadata. */
  readonly guessed?: boolean;
  readonly protocolVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const metadataMs = 10_000;

/** Reads the metadata of an authorization server; AuthError when there is none that names exactly this issuer. */
export async function discoverIssuer(question: IssuerQuestion): Promise<Issuer> {
  const { issuer, expected, guessed, protocolVersion } = question;
  const what = `the metadata of ${quoted(issuer)}`;
  checkedUrl(issuer, "the issuer");
  for (const url of issuerPlaces(issuer)) {
    const answer = await question.ask({
      method: "GET",
      url,
      what,
      timeoutMs: metadataMs,
      signal: question.signal,
      ...(protocolVersion !== undefined && { headers: { "mcp-protocol-version": protocolVersion } }),
    });
    if (answer.status === 200) return parseIssuer(answer, expected ?? issuer, what);
    if (answer.status >= 500 || answer.status === 429)
      throw new AuthError("unreachable", `${what}: ${url} answered HTTP ${answer.status}`);
  }
  if (guessed === true) return defaultEndpoints(issuer);
  throw new AuthError("bad-answer", `${what}: none of its well-known addresses has any`);
}

/** Where an issuer's metadata may lie, in the order of MCP 2025-11-25: with a path it is inserted, and OIDC appends. */
export function issuerPlaces(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const oauth = `${origin}/.well-known/oauth-authorization-server`;
  const oidc = `${origin}/.well-known/openid-configuration`;
  if (path === "") return [oauth, oidc];
  return [`${oauth}${path}`, `${oidc}${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

function parseIssuer(answer: Answer, expected: string, what: string): Issuer {
  const object = objectOf(answer, what);
  const issuer = requiredText(object, "issuer", what);
  if (issuer !== expected)
    throw new AuthError(
      "issuer-mismatch",
      `${what} names the issuer ${quoted(issuer)}; none of it is used. ` +
        `If that is right, put "oauth": { "issuer": ${JSON.stringify(issuer).slice(0, 300)} } into the entry of the server`,
    );
  const tokenEndpoint = urlAt(object, "token_endpoint", what);
  if (tokenEndpoint === undefined) throw new AuthError("bad-answer", `${what}: token_endpoint is missing`);
  const scopes = scopesOf(object["scopes_supported"]);
  return drop({
    issuer,
    tokenEndpoint,
    authorizationEndpoint: urlAt(object, "authorization_endpoint", what),
    registrationEndpoint: urlAt(object, "registration_endpoint", what),
    revocationEndpoint: urlAt(object, "revocation_endpoint", what),
    deviceEndpoint: urlAt(object, "device_authorization_endpoint", what),
    scopes: scopes.length > 0 ? scopes : undefined,
    grantTypes: textsAt(object, "grant_types_supported"),
    tokenAuthMethods: textsAt(object, "token_endpoint_auth_methods_supported"),
    signingAlgs: textsAt(object, "token_endpoint_auth_signing_alg_values_supported"),
    dpopAlgs: textsAt(object, "dpop_signing_alg_values_supported"),
    pkceMethods: textsAt(object, "code_challenge_methods_supported"),
    sendsIss: object["authorization_response_iss_parameter_supported"] === true,
    takesDocuments: object["client_id_metadata_document_supported"] === true,
  });
}

/** MCP 2025-03-26: a server without any metadata has its endpoints at fixed places. */
function defaultEndpoints(issuer: string): Issuer {
  const { origin } = new URL(issuer);
  return {
    issuer,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    // That revision demands PKCE and knows no place to say so.
    pkceMethods: ["S256"],
    sendsIss: false,
    takesDocuments: false,
  };
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

function drop(issuer: Loose<Issuer>): Issuer {
  return Object.fromEntries(
    Object.entries(issuer).filter(([, value]) => value !== undefined),
  ) as unknown as Issuer;
}
