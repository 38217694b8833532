/** What of the fleet a consumer may see. Patterns: `*` stands for any run of characters, `server/tool` for tools. */
export interface ScopeRules {
  /** Server ids; absent: all. */
  readonly servers?: readonly string[];
  /** Which tools of these servers it sees: `server/tool`, or a server id for all of its tools. */
  readonly tools?: {
    /** Only these. Default: all. */
    readonly include?: readonly string[];
    /** But not these; it wins. Default: none. */
    readonly exclude?: readonly string[];
  };
}

export interface Scope {
  sees(server: string): boolean;
  seesTool(server: string, tool: string): boolean;
}

/** Excluded wins over included; a tool pattern without `/` is one of the server's, all of whose tools it names. */
export function createScope({ servers, tools }: ScopeRules): Scope {
  const isServer = matcher(servers);
  const isIncluded = matcher(tools?.include?.map(whole));
  const isExcluded = matcher(tools?.exclude?.map(whole));
  const sees = (server: string): boolean => isServer?.(server) ?? true;
  return {
    sees,
    seesTool(server, tool) {
      const path = `${server}/${tool}`;
      return sees(server) && (isIncluded?.(path) ?? true) && isExcluded?.(path) !== true;
    },
  };
}

function whole(pattern: string): string {
  return pattern.includes("/") ? pattern : `${pattern}/*`;
}

/** A test for names, or nothing when there are no rules; linear, no regular expression is made from a rule. */
export function matcher(rules: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (rules === undefined) return undefined;
  const exact = new Set(rules.filter((rule) => !rule.includes("*")));
  const wild = rules.filter((rule) => rule.includes("*")).map((rule) => rule.split("*"));
  return (name) => exact.has(name) || wild.some((parts) => fits(name, parts));
}

function fits(name: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
