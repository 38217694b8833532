import { checkedUrl } from "../door/address.js";
import type { Answer, Ask } from "../door/ask.js";
import { objectOf, requiredText, textsAt } from "../door/json.js";
import { AuthError, quoted } from "../door/problem.js";
import { scopesOf } from "./scopes.js";

/** What a resource says of itself (RFC 9728). */
export interface ResourceMetadata {
  /** Byte for byte as the server wrote it: some authorization servers know one spelling only. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[];
  readonly dpopRequired: boolean;
}

export interface ResourceQuestion {
  readonly ask: Ask;
  readonly serverUrl: string;
  /** Where the challenge says that the metadata is. */
  readonly advertised?: string | undefined;
  /** The protocol revision in use, sent along as older authorization pages ask for. */
  readonly protocolVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const metadataMs = 10_000;
const mostIssuers = 5;

/**
 * Finds the metadata of a protected resource: where the challenge says, else at the well-known address with the path,
 * else at that of the root. Undefined when the server has none.
 */
export async function discoverResource(question: ResourceQuestion): Promise<ResourceMetadata | undefined> {
  const { serverUrl, advertised } = question;
  if (advertised !== undefined) {
    const url = checkedUrl(advertised, "resource_metadata of the challenge");
    const answer = await get(question, url.href);
    if (answer.status !== 200)
      throw new AuthError(
        "bad-answer",
        `the resource metadata at ${url.href} answered HTTP ${answer.status}`,
      );
    return parseResource(answer, serverUrl);
  }
  for (const url of resourcePlaces(serverUrl)) {
    const answer = await get(question, url);
    if (answer.status === 200) return parseResource(answer, serverUrl);
    if (answer.status >= 500 || answer.status === 429)
      throw new AuthError("unreachable", `the resource metadata at ${url} answered HTTP ${answer.status}`);
  }
  return undefined;
}

/** The well-known addresses of a server's resource metadata, in order. */
export function resourcePlaces(serverUrl: string): string[] {
  const { origin, pathname } = new URL(serverUrl);
  const path = pathname.replace(/\/$/, "");
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return path === "" ? [root] : [`${root}${path}${new URL(serverUrl).search}`, root];
}

/** Whether metadata for `resource` speaks for this server: the same address, or a parent path of its origin. */
export function speaksFor(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const named = new URL(resource);
  const server = new URL(serverUrl);
  if (named.origin !== server.origin || named.username !== "" || named.hash !== "") return false;
  const parent = named.pathname.replace(/\/$/, "");
  const path = server.pathname.replace(/\/$/, "");
  if (named.search !== "" && named.search !== server.search) return false;
  return path === parent || path.startsWith(`${parent}/`);
}

/** The canonical address of a server whose metadata names none (RFC 8707): no fragment, no bare slash at the end. */
export function canonicalResource(serverUrl: string): string {
  const url = new URL(serverUrl);
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${url.origin}${path}${url.search}`;
}

async function get(question: ResourceQuestion, url: string): Promise<Answer> {
  const { ask, protocolVersion, signal } = question;
  return ask({
    method: "GET",
    url,
    what: "the resource metadata",
    timeoutMs: metadataMs,
    signal,
    ...(protocolVersion !== undefined && { headers: { "mcp-protocol-version": protocolVersion } }),
  });
}

function parseResource(answer: Answer, serverUrl: string): ResourceMetadata {
  const what = "the resource metadata";
  const object = objectOf(answer, what);
  const resource = requiredText(object, "resource", what);
  if (!speaksFor(resource, serverUrl))
    throw new AuthError(
      "resource-mismatch",
      `${what} is for ${quoted(resource)}, not for this server; nothing is asked on its word`,
    );
  const servers = (textsAt(object, "authorization_servers") ?? []).slice(0, mostIssuers);
  for (const issuer of servers) checkedUrl(issuer, `${what}: authorization_servers`);
  const scopes = scopesOf(object["scopes_supported"]);
  return {
    resource,
    authorizationServers: servers,
    dpopRequired: object["dpop_bound_access_tokens_required"] === true,
    ...(scopes.length > 0 && { scopes }),
  };
}
