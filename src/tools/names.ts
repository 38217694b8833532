import { sha256 } from "./sha256.js";

/** `flat`: `mcp_<id>_<tool>`, lower-cased, only a-z 0-9 _. `scoped`: `mcp__<id>__<tool>`, case and `-` are kept. */
export type Naming = "flat" | "scoped";

/** The beginnings of a server's public names; `second` is for tools whose plain name another server owns. */
export interface NameSpace {
  readonly plain: string;
  readonly second: string;
}

/** The longest name that model APIs take. */
const longest = 64;
const longestId = 32;
const tailLength = 8;

/**
 * Public names: raw tool name → public name, per server id. Every name matches `[a-zA-Z0-9_-]{1,64}` and all differ.
 * They depend on the configured ids and on a server's own list only, never on who started first:
 *
 * 1. Ids that become equal (`foo-bar`, `foo_bar`) are told apart by their configuration: the id that needs no change
 *    comes first, then byte order; the others count on (`mcp_foo_bar_2_…`).
 * 2. A name belongs to the configured server with the longest matching beginning. Where tool `b_x` of server `a` would
 *    land among the names of server `a_b`, it takes its own server's second beginning: `mcp_a_2_b_x`.
 * 3. Tools of one server that become equal: the name that needs no change stays plain, then byte order; others get
 *    `_2`, `_3`, …
 * 4. What is too long is cut, and ends in 8 letters of a hash of the raw name.
 */
export function assignNames(
  servers: readonly { readonly id: string; readonly tools: readonly string[] }[],
  naming: Naming,
  configuredIds: readonly string[] = [],
): Map<string, Map<string, string>> {
  const spaces = nameSpaces([...configuredIds, ...servers.map((server) => server.id)], naming);
  return new Map(servers.map(({ id, tools }) => [id, nameTools(id, tools, naming, spaces)]));
}

/** Rule 1 of `assignNames`: the beginnings of all configured servers, by id. */
export function nameSpaces(ids: Iterable<string>, naming: Naming): Map<string, NameSpace> {
  const slugs = [...new Set(ids)]
    .map((id) => ({ id, slug: slugOf(id, naming) }))
    .toSorted((a, b) => plainFirst(a.id, a.slug, b.id, b.slug));
  const taken = new Set(slugs.map((each) => each.slug));
  const given = new Set<string>();
  const plain = slugs.map(({ id, slug }) => {
    let own = slug;
    for (let number = 2; given.has(own) || (number > 2 && taken.has(own)); number++)
      own = `${slug}_${number}`;
    given.add(own);
    return { id, slug: own, plain: begin(own, naming) };
  });
  // Second beginnings come last, so that they never take a number from a plain one.
  const starts = plain.map((each) => each.plain);
  return new Map(
    plain.map(({ id, slug, plain: own }) => [id, { plain: own, second: free(slug, naming, starts) }]),
  );
}

/** A second beginning that no other beginning continues; it is added to `starts`. */
function free(slug: string, naming: Naming, starts: string[]): string {
  for (let number = 2; ; number++) {
    const start = begin(`${slug}_${number}`, naming);
    if (starts.some((other) => other.startsWith(start))) continue;
    starts.push(start);
    return start;
  }
}

/** Rules 2 to 4 of `assignNames` for one server: raw tool name → public name. */
export function nameTools(
  id: string,
  tools: readonly string[],
  naming: Naming,
  spaces: ReadonlyMap<string, NameSpace>,
): Map<string, string> {
  const own = spaces.get(id) ?? { plain: begin(slugOf(id, naming), naming), second: "" };
  const rivals = rivalsOf(own, spaces);
  const wanted = [...new Set(tools)]
    .map((raw) => ({ raw, name: clean(raw, naming) }))
    .toSorted((a, b) => plainFirst(a.raw, a.name, b.raw, b.name))
    .map(({ raw, name }) => {
      const plain = own.plain + name;
      // With "_", because a number may follow: `mcp_a_b` would become `mcp_a_b_2`, a name of server `a_b`.
      return { raw, base: rivals.some((rival) => `${plain}_`.startsWith(rival)) ? own.second + name : plain };
    });
  const firsts = new Set(wanted.map((each) => fit(each.base, "", each.raw)));
  const used = new Set<string>();
  const names = new Map<string, string>();
  for (const { raw, base } of wanted) {
    let name = fit(base, "", raw);
    for (let number = 2; used.has(name) || (number > 2 && firsts.has(name)); number++) {
      name = fit(base, `_${number}`, raw);
    }
    used.add(name);
    names.set(raw, name);
  }
  return names;
}

/** Beginnings of other servers that are longer than ours and start with it. */
function rivalsOf(own: NameSpace, spaces: ReadonlyMap<string, NameSpace>): string[] {
  const rivals: string[] = [];
  for (const other of spaces.values()) {
    if (other.plain === own.plain) continue;
    for (const start of [other.plain, other.second]) {
      if (start.startsWith(own.plain)) rivals.push(start);
    }
  }
  return rivals;
}

function fit(base: string, suffix: string, raw: string): string {
  if (base.length + suffix.length <= longest) return base + suffix;
  const head = base.slice(0, longest - suffix.length - tailLength - 1);
  return `${head}_${tail(raw)}${suffix}`;
}

function slugOf(id: string, naming: Naming): string {
  const slug = clean(id, naming);
  return slug.length <= longestId ? slug : `${slug.slice(0, longestId - tailLength - 1)}_${tail(id)}`;
}

function begin(slug: string, naming: Naming): string {
  return naming === "flat" ? `mcp_${slug}_` : `mcp__${slug}__`;
}

function clean(text: string, naming: Naming): string {
  return naming === "flat"
    ? text.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_")
    : text.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}

/** 40 bits of SHA-256 in the alphabet of base32 (RFC 4648), lower-cased. */
function tail(text: string): string {
  let bits = BigInt(`0x${sha256(text).slice(0, 10)}`);
  let letters = "";
  for (let i = 0; i < tailLength; i++, bits >>= 5n) {
    letters = "abcdefghijklmnopqrstuvwxyz234567".charAt(Number(bits & 31n)) + letters;
  }
  return letters;
}

function plainFirst(a: string, cleanA: string, b: string, cleanB: string): number {
  if ((a === cleanA) !== (b === cleanB)) return a === cleanA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
