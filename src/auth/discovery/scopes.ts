/** More are not taken from any answer. */
export const mostScopes = 200;

/** Takes a `scope` text or an array apart; what is no scope token (RFC 6749, 3.3) is left out. */
export function scopesOf(value: unknown): string[] {
  const words = typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  return union(words.filter((word): word is string => typeof word === "string" && isScope(word)));
}

/** All scopes once, in the order of their first mention. */
export function union(...lists: readonly (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))].slice(0, mostScopes);
}

/** The wanted ones that are not among the granted. */
export function missing(wanted: readonly string[], granted: readonly string[]): string[] {
  const has = new Set(granted);
  return wanted.filter((scope) => !has.has(scope));
}

export interface ScopeSources {
  /** The person's own words; they replace what the server lists, not what it demands. */
  readonly configured?: readonly string[] | undefined;
  /** Of the refusal that led here: authoritative for what it refused. */
  readonly challenged?: readonly string[] | undefined;
  /** `scopes_supported` of the resource. */
  readonly supported?: readonly string[] | undefined;
  /** Requested before, for this account. */
  readonly requested?: readonly string[] | undefined;
  /** `scopes_supported` of the authorization server. */
  readonly issuerSupported?: readonly string[] | undefined;
  /** A refresh token is of use (not for machines). */
  readonly offline: boolean;
}

/**
 * Which scopes to ask for (MCP 2026-07-28, Scope Selection Strategy): those of the challenge, else the configured, else
 * all that the resource lists, else none; asking again keeps what was asked before. `offline_access` joins where the
 * authorization server lists it.
 */
export function scopesToAsk(sources: ScopeSources): string[] {
  const { configured, challenged, supported, requested, issuerSupported, offline } = sources;
  const base =
    requested !== undefined && requested.length > 0
      ? union(requested, configured, challenged)
      : (configured ?? challenged) === undefined
        ? union(supported)
        : union(configured, challenged);
  const isListed = offline && issuerSupported?.includes("offline_access") === true;
  return isListed ? union(base, ["offline_access"]) : base;
}

function isScope(word: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/.test(word);
}
