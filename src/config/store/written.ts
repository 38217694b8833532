import { stars } from "../../policy/secrets.js";
import { mcpServerFields, spellings } from "../dialects/mcpServers.js";
import type { RawEntry } from "../dialects/raw.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { serverFields } from "../entries/serverFields.js";
import { maskEntry } from "./view.js";

/** Fields whose plain numbers are seconds in ServerConfig and milliseconds in `mcpServers` files. */
const times = new Set(["timeout", "maxTimeout", "connectTimeout", "idleTimeout", "maxLifetime", "health"]);

/** The fields of a dialect that saving an entry may remove; all others are kept. */
export function ownedFields(dialect: RawEntry["dialect"]): readonly string[] {
  return dialect === "settings" ? serverFields : [...mcpServerFields, ...spellings.keys()];
}

/** A ServerConfig in the words of a dialect, spelled as the stored entry spells it. */
export function toDialect(config: Fields, dialect: RawEntry["dialect"], stored: Fields): Fields {
  const defined = Object.entries(config).filter(([, value]) => value !== undefined);
  if (dialect === "settings") return Object.fromEntries(defined) as Fields;
  const result = defined.flatMap(([field, value]): [string, unknown][] => {
    if (field === "id" || field === "name") return [];
    if (field === "enabled" && Object.hasOwn(stored, "disabled")) return [["disabled", value === false]];
    if (field === "transport") return transportField(value, stored);
    if (field === "shutdown" && isRecord(value)) return [[field, mapped(value, inWords)]];
    const spelling = [...spellings].find(
      ([each, ours]) => ours === field && Object.hasOwn(stored, each),
    )?.[0];
    return [[spelling ?? field, times.has(field) ? inWords(value) : value]];
  });
  return Object.fromEntries(result) as Fields;
}

/** An entry as it is stored, and as every door shows it. */
export interface StoredEntry {
  readonly fields: Fields;
  /** What status and API show of it (viewOf); absent for an entry that is invalid. */
  readonly view?: Fields;
}

/**
 * Puts back what is stored where a shown value came back: `********` in env, headers, args, command, cwd and URL, and
 * texts whose placeholders a view had filled in. A stored secret stays only with the command or origin that it was
 * written for. `missing` names the fields for which nothing is stored.
 */
export function restoreStars(next: Fields, { fields: stored, view = {} }: StoredEntry): Restored {
  const missing: string[] = [];
  const shown = maskEntry(stored);
  const isSame = isSameTarget(next, [stored, shown, view]);
  const fields = Object.entries(next).map(([field, value]): [string, unknown] => {
    const name = spellings.get(field) ?? field;
    if ((name === "env" || name === "headers") && isRecord(value)) {
      const before = record(stored[field] ?? stored[name]);
      return [field, mapped(value, (each, key) => secret(each, before, key, `${field}.${key}`))];
    }
    if (field === "oauth" && isRecord(value) && value["clientSecret"] === stars) {
      const before = record(stored[field]);
      return [field, { ...value, clientSecret: secret(stars, before, "clientSecret", "oauth.clientSecret") }];
    }
    if (name === "args" && Array.isArray(value))
      return [field, value.map((each: unknown, at) => argument(each, at))];
    if ((name === "url" || name === "command" || name === "cwd") && typeof value === "string") {
      const before = stored[field] ?? stored[name];
      const wasShown = value === shown[field] || value === view[name];
      if (before !== undefined && wasShown) return [field, before];
      return [field, value.includes(stars) ? missed(field) : value];
    }
    return [field, value];
  });
  return { fields: Object.fromEntries(fields) as Fields, missing };

  function secret(each: unknown, before: Fields, key: string, path: string): unknown {
    if (each !== stars) return typeof each === "string" && each.includes(stars) ? missed(path) : each;
    return isSame && Object.hasOwn(before, key) ? before[key] : missed(path);
  }
  function argument(each: unknown, at: number): unknown {
    if (typeof each !== "string") return each;
    const before = list(stored["args"]);
    const asShown = [list(shown["args"]), list(view["args"])];
    const places = [at, ...before.keys()];
    const found = places.find((place) => asShown.some((texts) => texts[place] === each));
    const isHere = asShown.some((texts) => texts[at] === each);
    if (!each.includes(stars)) return isHere && isSame && before[at] !== undefined ? before[at] : each;
    return found === undefined || !isSame ? missed(`args.${at}`) : before[found];
  }
  function missed(path: string): string {
    missing.push(path);
    return stars;
  }
}

export interface Restored {
  readonly fields: Fields;
  readonly missing: readonly string[];
}

/** Whether an entry still runs the command, or speaks to the origin, that its secrets were written for. */
function isSameTarget(next: Fields, known: readonly Fields[]): boolean {
  const url = urlOf(next);
  if (url === undefined) return known.some((each) => each["command"] === next["command"]);
  return known.some((each) => {
    const before = urlOf(each);
    return before !== undefined && (before === url || originOf(before) === originOf(url));
  });
}

function urlOf(fields: Fields): string | undefined {
  const found = ["url", ...spellings.keys()].find(
    (each) => (spellings.get(each) ?? each) === "url" && typeof fields[each] === "string",
  );
  return found === undefined ? undefined : String(fields[found]);
}

/** The origin of an address; one that is none, such as one with a placeholder in its host, is only equal to itself. */
function originOf(url: string): string {
  return URL.canParse(url) && !/^[^/]*\/\/[^/]*[$*]/.test(url) ? new URL(url).origin : url;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function transportField(value: unknown, stored: Fields): [string, unknown][] {
  // An entry that never said its type need not begin to, unless it is not the usual one.
  const spelled = Object.hasOwn(stored, "transport") ? "transport" : "type";
  return Object.hasOwn(stored, spelled) || value === "sse" ? [[spelled, value]] : [];
}

function inWords(seconds: unknown): unknown {
  return typeof seconds === "number" ? `${seconds}s` : seconds;
}

function mapped(fields: Fields, change: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, change(value, name)]),
  ) as Fields;
}

function record(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
