import type { Ask } from "../door/ask.js";
import { type BearerChallenge } from "./challenge.js";
import { discoverIssuer, type Issuer } from "./issuer.js";
import { AuthError } from "../door/problem.js";
import { canonicalResource, discoverResource, type ResourceMetadata } from "./resource.js";

/** What a login or a renewal must know of a server. */
export interface Found {
  readonly issuer: Issuer;
  /** Value of the `resource` parameter; undefined when the entry says false. */
  readonly resource?: string;
  /** `scopes_supported` of the resource. */
  readonly scopes?: readonly string[];
  readonly dpopRequired: boolean;
}

export interface DiscoverQuestion {
  readonly ask: Ask;
  readonly serverUrl: string;
  readonly challenge?: BearerChallenge | undefined;
  /** `oauth.issuer` and `oauth.resource` of the entry. */
  readonly issuer?: string | undefined;
  readonly resource?: string | false | undefined;
  /** The issuer that the stored grant came from. */
  readonly known?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Goes from a server's address to its authorization server: the one in use before if it is still named, else the first that answers. */
export async function discover(question: DiscoverQuestion): Promise<Found> {
  const { ask, serverUrl, challenge, signal, protocolVersion } = question;
  const shared = { ask, signal, protocolVersion };
  const metadata = await discoverResource({
    ...shared,
    serverUrl,
    advertised: challenge?.resourceMetadata,
  });
  const issuer = await firstIssuer(question, metadata, shared);
  const resource =
    question.resource === undefined
      ? (metadata?.resource ?? canonicalResource(serverUrl))
      : question.resource;
  return {
    issuer,
    dpopRequired: metadata?.dpopRequired ?? false,
    ...(resource !== false && { resource }),
    ...(metadata?.scopes !== undefined && { scopes: metadata.scopes }),
  };
}

async function firstIssuer(
  { issuer: expected, known, serverUrl }: DiscoverQuestion,
  metadata: ResourceMetadata | undefined,
  shared: {
    readonly ask: Ask;
    readonly signal: AbortSignal | undefined;
    readonly protocolVersion: string | undefined;
  },
): Promise<Issuer> {
  const named = metadata?.authorizationServers ?? [];
  if (named.length === 0) {
    const guessed = expected === undefined;
    return discoverIssuer({ ...shared, issuer: expected ?? new URL(serverUrl).origin, guessed });
  }
  let failure: unknown;
  const order = named.toSorted((a, b) => Number(b === known) - Number(a === known));
  for (const issuer of order) {
    try {
      return await discoverIssuer({ ...shared, issuer, expected });
    } catch (error) {
      if (error instanceof AuthError && error.failure === "cancelled") throw error;
      failure ??= error;
    }
  }
  throw failure;
}
