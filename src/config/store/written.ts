import { createMasker, stars } from "../../policy/secrets.js";
import { mcpServerFields, spellings } from "../dialects/mcpServers.js";
import type { RawEntry } from "../dialects/raw.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { serverFields } from "../entries/serverFields.js";
import { maskEntry } from "./view.js";

/** Fields whose plain numbers are seconds in ServerConfig and milliseconds in `mcpServers` files. */
const times = new Set(["timeout", "connectTimeout", "idleTimeout", "maxLifetime", "health"]);

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

/**
 * Puts stored values back where a view shows `********`: in env and headers, in the query of the URL, in args.
 * `missing` names the fields for which nothing is stored.
 */
export function restoreStars(next: Fields, stored: Fields): { fields: Fields; missing: readonly string[] } {
  const missing: string[] = [];
  const shown = maskEntry(stored);
  const mask = createMasker(
    [...Object.values(record(stored["env"])), ...Object.values(record(stored["headers"]))].map(String),
  );
  const fields = Object.entries(next).map(([field, value]): [string, unknown] => {
    if ((field === "env" || field === "headers") && isRecord(value)) {
      const before = record(stored[field]);
      return [
        field,
        mapped(value, (each, name) => (each === stars ? pick(before, name, `${field}.${name}`) : each)),
      ];
    }
    if (field === "oauth" && isRecord(value) && value["clientSecret"] === stars) {
      const clientSecret = pick(record(stored[field]), "clientSecret", "oauth.clientSecret");
      return [field, { ...value, clientSecret }];
    }
    if (
      (field === "url" || spellings.get(field) === "url") &&
      typeof value === "string" &&
      value.includes(stars)
    ) {
      return [field, value === shown[field] ? stored[field] : missed(field)];
    }
    if (field === "args" && Array.isArray(value)) {
      const before: readonly unknown[] = Array.isArray(stored["args"]) ? stored["args"] : [];
      return [field, value.map((each: unknown, index) => argument(each, before, index))];
    }
    return [field, value];
  });
  return { fields: Object.fromEntries(fields) as Fields, missing };

  function argument(each: unknown, before: readonly unknown[], index: number): unknown {
    if (typeof each !== "string" || !each.includes(stars)) return each;
    const same = [before[index], ...before].find((old) => typeof old === "string" && mask(old) === each);
    return same ?? missed(`args.${index}`);
  }
  function pick(before: Fields, name: string, path: string): unknown {
    return Object.hasOwn(before, name) ? before[name] : missed(path);
  }
  function missed(path: string): string {
    missing.push(path);
    return stars;
  }
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
