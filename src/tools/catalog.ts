import type { RawTool } from "../protocol/mcp.js";
import { entriesOf, recogniser } from "./entries.js";
import type { ServerTools, ToolEntry } from "./entries.js";
import { nearest } from "./near.js";
import { nameSpaces } from "./names.js";
import type { NameSpace, Naming } from "./names.js";
import { sameTool } from "./sameTool.js";

export type { ToolEntry } from "./entries.js";

/** A configured server as the catalog sees it; a ServerSpec fits. */
export interface CatalogServer {
  readonly id: string;
  /** Raw names, exact or with `*` for any run of characters. Excluded wins over included. */
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
}

/** Public names that came, went, or stand for another definition now. */
export interface CatalogChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Which public name belongs to which server and tool. Routes come from this table, never from splitting a name. */
export interface Catalog {
  /** All configured servers, started or not: names depend on them. Returns what changed, by server id. */
  configure(servers: readonly CatalogServer[]): ReadonlyMap<string, CatalogChange>;
  /** A server's whole list. Another order of tools or keys is no change. Servers not configured are ignored. */
  setTools(server: string, tools: readonly RawTool[], options?: { readonly cached?: boolean }): CatalogChange;
  removeServer(server: string): CatalogChange;
  /** One Map read; excluded tools are not found. */
  find(name: string): ToolEntry | undefined;
  /** A tool that a rule of the configuration withholds. */
  excluded(name: string): ToolEntry | undefined;
  /** The server that offered a tool of this name last, and was removed since. */
  departed(name: string): string | undefined;
  /** Up to three offered names that look like this one, nearest first. */
  near(name: string): string[];
  /** The configured server that a public name would belong to, by its beginning; undefined when none has it. */
  owner(name: string): string | undefined;
  /** Offered tools by server id, then raw name, in byte order; the same array until something changes. */
  list(): readonly ToolEntry[];
  count(server: string): number;
  /** Gives the known definition of a tool of this server in place of an equal new one. */
  recogniser(server: string): (item: unknown) => unknown;
}

/** Names of removed servers' tools that are remembered, the latest. */
const mostDeparted = 10_000;

const nothing: CatalogChange = { added: [], removed: [], changed: [] };

/** An empty catalog. No schema is compiled here: listing is cheap, checks come with a tool's first call. */
export function createCatalog(options: { readonly naming: Naming }): Catalog {
  const byServer = new Map<string, Mutable<ServerTools>>();
  const byName = new Map<string, ToolEntry>();
  const withheld = new Map<string, ToolEntry>();
  const departed = new Map<string, string>();
  let spaces: ReadonlyMap<string, NameSpace> = new Map();
  let sortedList: readonly ToolEntry[] | undefined;

  const tableOf = (entry: ToolEntry): Map<string, ToolEntry> => (entry.excluded ? withheld : byName);

  const put = (ofServer: Mutable<ServerTools>, entries: readonly ToolEntry[]): CatalogChange => {
    if (entries === ofServer.entries) return nothing;
    const change = difference(ofServer.entries, entries);
    for (const old of ofServer.entries) {
      if (tableOf(old).get(old.name) === old) tableOf(old).delete(old.name);
    }
    for (const entry of entries) tableOf(entry).set(entry.name, entry);
    ofServer.entries = entries;
    sortedList = undefined;
    return change;
  };

  const refill = (ofServer: Mutable<ServerTools>): CatalogChange => {
    const change = put(ofServer, entriesOf(ofServer, options.naming, spaces));
    ofServer.spaces = spaces;
    return change;
  };

  const take = (id: string): CatalogChange => {
    const ofServer = byServer.get(id);
    if (ofServer === undefined) return nothing;
    byServer.delete(id);
    const change = put(ofServer, []);
    for (const name of change.removed) {
      // Those that left last stand last.
      departed.delete(name);
      departed.set(name, id);
    }
    for (const name of departed.keys()) {
      if (departed.size <= mostDeparted) break;
      departed.delete(name);
    }
    return change;
  };

  return {
    configure: (servers) => {
      const changes = new Map<string, CatalogChange>();
      const ids = new Set(servers.map((server) => server.id));
      for (const id of [...byServer.keys()].filter((each) => !ids.has(each))) changes.set(id, take(id));
      spaces = nameSpaces(ids, options.naming);
      for (const config of servers) {
        const ofServer = byServer.get(config.id);
        if (ofServer === undefined) {
          byServer.set(config.id, { config, tools: [], cached: false, entries: [], spaces });
        } else {
          ofServer.config = config;
          changes.set(config.id, refill(ofServer));
        }
      }
      return new Map([...changes].filter(([, change]) => isChange(change)));
    },
    setTools: (id, tools, { cached = false } = {}) => {
      const ofServer = byServer.get(id);
      if (ofServer === undefined) return nothing;
      if (ofServer.tools === tools && ofServer.cached === cached && ofServer.spaces === spaces)
        return nothing;
      ofServer.tools = tools;
      ofServer.cached = cached;
      return refill(ofServer);
    },
    removeServer: take,
    find: (name) => byName.get(name),
    excluded: (name) => withheld.get(name),
    owner: (name) => {
      const fits = [...spaces].filter(
        ([, { plain, second }]) => name.startsWith(plain) || name.startsWith(second),
      );
      return fits.toSorted(([, a], [, b]) => b.plain.length - a.plain.length)[0]?.[0];
    },
    departed: (name) => departed.get(name),
    near: (name) => nearest(name, byName.keys()),
    list: () => (sortedList ??= sorted(byServer)),
    count: (id) => {
      let count = 0;
      for (const entry of byServer.get(id)?.entries ?? []) if (!entry.excluded) count++;
      return count;
    },
    recogniser: (id) => recogniser(byServer.get(id)?.entries ?? []),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function difference(before: readonly ToolEntry[], after: readonly ToolEntry[]): CatalogChange {
  const old = new Map(offered(before).map((entry) => [entry.name, entry]));
  const added: string[] = [];
  const changed: string[] = [];
  for (const entry of offered(after)) {
    const known = old.get(entry.name);
    old.delete(entry.name);
    if (known === undefined) added.push(entry.name);
    else if (known !== entry && !sameTool(known.tool, entry.tool)) changed.push(entry.name);
  }
  return { added, removed: [...old.keys()], changed };
}

function offered(entries: readonly ToolEntry[]): ToolEntry[] {
  return entries.filter((entry) => !entry.excluded);
}

function isChange({ added, removed, changed }: CatalogChange): boolean {
  return added.length + removed.length + changed.length > 0;
}

function sorted(byServer: ReadonlyMap<string, ServerTools>): readonly ToolEntry[] {
  const ids = [...byServer.keys()].toSorted();
  return ids.flatMap((id) => offered(byServer.get(id)?.entries ?? []));
}
