/** One challenge of `WWW-Authenticate` (RFC 9110, 11.6.1). Names are in lower case; the first of a name counts. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly token68?: string;
}

/** What a server's refusal says to a client that has, or lacks, a token (RFC 6750, RFC 9728). */
export interface BearerChallenge {
  readonly resourceMetadata?: string;
  /** In the server's order; undefined when it names none. */
  readonly scopes?: readonly string[];
  readonly error?: string;
  /** `Bearer` or `DPoP`. */
  readonly scheme: string;
}

/** Longer headers are cut: no challenge needs as much. */
const longest = 16 * 1024;

const schemeAt = /[\s,]*([!#$%&'*+.^_`|~\w-]+)(?=$|[\s,])/y;
const parameterAt =
  /[\s,]*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([!#$%&'*+.^_`|~\w:/?@-]+))(?=$|[\s,])/y;
const token68At = /[ \t]+([A-Za-z0-9._~+/-]+=*)(?=$|\s*$|\s*,)/y;

/**
 * Parses one or several header lines. What is not understood ends the parse of its line; what was found before it
 * counts: a server's slip must not hide where its metadata is.
 */
export function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  if (header === undefined) return [];
  return (typeof header === "string" ? [header] : header).flatMap((line) =>
    parseLine(line.slice(0, longest)),
  );
}

/** The challenge that a bearer of tokens can answer, wherever it stands among others. */
export function bearerChallenge(header: string | readonly string[] | undefined): BearerChallenge | undefined {
  const all = parseChallenges(header).filter(({ scheme }) => scheme === "bearer" || scheme === "dpop");
  const found = all.find(({ parameters }) => parameters["resource_metadata"] !== undefined) ?? all[0];
  if (found === undefined) return undefined;
  const { resource_metadata: resourceMetadata, scope, error } = found.parameters;
  const scopes = scope?.split(/\s+/).filter((each) => each !== "");
  return {
    scheme: found.scheme,
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(scopes !== undefined && scopes.length > 0 && { scopes }),
    ...(error !== undefined && { error }),
  };
}

function parseLine(line: string): Challenge[] {
  const found: Challenge[] = [];
  let at = 0;
  for (;;) {
    const scheme = match(schemeAt, line, at);
    if (scheme === undefined) return found;
    at = scheme.end;
    const parameters: Record<string, string> = {};
    for (;;) {
      const parameter = match(parameterAt, line, at);
      if (parameter === undefined) break;
      at = parameter.end;
      const [, name = "", inQuotes, bare = ""] = parameter.groups;
      const value = inQuotes === undefined ? bare : inQuotes.replaceAll(/\\([\s\S])/g, "$1");
      if (!Object.hasOwn(parameters, name.toLowerCase())) define(parameters, name.toLowerCase(), value);
    }
    const isBare = Object.keys(parameters).length === 0;
    const token68 = isBare ? match(token68At, line, at) : undefined;
    if (token68 !== undefined) at = token68.end;
    found.push({
      scheme: scheme.groups[1]!.toLowerCase(),
      parameters,
      ...(token68 !== undefined && { token68: token68.groups[1]! }),
    });
  }
}

/** An own property whatever its name: `__proto__` is a word like any other here. */
function define(record: Record<string, string>, name: string, value: string): void {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
}

function match(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly groups: RegExpExecArray; readonly end: number } | undefined {
  pattern.lastIndex = at;
  const groups = pattern.exec(text);
  return groups === null ? undefined : { groups, end: pattern.lastIndex };
}
