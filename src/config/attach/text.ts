import { ConfigError } from "../../errors.js";
import { canonicalJson } from "../entries/hash.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { readJsonc } from "../files/jsonc.js";
import { editJsonc } from "../files/jsonEdit.js";
import type { HostShape } from "./hosts.js";
import { tomlWith } from "./toml.js";

/** A host's file as text, with one entry set or (undefined) taken out; all else stays as it is written. */
export type Edit = (entry: Fields | undefined) => string;

/** What stands in a host's file. */
export interface HostFile {
  readonly root: Fields;
  /** The entry of this name; undefined when there is none. */
  readonly entry: Fields | undefined;
  readonly with: Edit;
}

/**
 * Reads the text of a host's file ("" for one that does not exist). Throws ConfigError for a text that is not what the
 * host would read; an edit throws it when the text is written in a way that cannot be changed in one place.
 */
export async function readHostFile(
  text: string,
  file: string,
  shape: HostShape,
  name: string,
): Promise<HostFile> {
  const parse = shape.format === "toml" ? await tomlReader(file) : jsonReader(file);
  const root = parse(text);
  const at = [...shape.under(root), name];
  const found = at.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), root);
  for (const [depth, key] of at.slice(0, -1).entries()) {
    const inner = at
      .slice(0, depth + 1)
      .reduce<unknown>((each, part) => (each as Fields | undefined)?.[part], root);
    if (inner === undefined) break;
    if (!isRecord(inner)) throw new ConfigError(`${file}: "${key}" is no map of servers`);
  }
  const meaning = (edited: string): string | undefined => {
    try {
      return canonicalJson(tidy(parse(edited)));
    } catch {
      return undefined;
    }
  };
  return {
    root,
    entry: isRecord(found) ? found : undefined,
    with(entry) {
      const next = shape.format === "toml" ? tomlWith(text, at, entry) : jsonWith(text, at, entry);
      // What was meant and what is written now must be the same, whatever a file looks like.
      if (meaning(next) !== canonicalJson(tidy(changed(root, at, entry))))
        throw new ConfigError(
          `${file} is written in a way that cannot be changed safely; add the entry by hand`,
        );
      return next;
    },
  };
}

function jsonReader(file: string): (text: string) => Fields {
  return (text) => {
    if (text.trim() === "") return {};
    const source = readJsonc(text);
    if (!source.ok) {
      const [first] = source.errors;
      throw new ConfigError(
        `${file}:${first?.line}:${first?.column}: ${first?.message}; nothing was written`,
      );
    }
    if (!isRecord(source.value)) throw new ConfigError(`${file} holds no object; nothing was written`);
    return source.value;
  };
}

async function tomlReader(file: string): Promise<(text: string) => Fields> {
  const { parse } = await import("smol-toml");
  return (text) => {
    try {
      return parse(text);
    } catch {
      // The parser's message quotes lines of the file, which may hold secrets.
      throw new ConfigError(`${file} has a syntax error; nothing was written`);
    }
  };
}

function jsonWith(text: string, at: readonly string[], entry: Fields | undefined): string {
  const base = text.trim() === "" ? "{}\n" : text;
  return editJsonc(base, [{ at: [...at], value: entry }]);
}

function changed(root: Fields, [key = "", ...rest]: readonly string[], entry: Fields | undefined): Fields {
  const { [key]: inner, ...others } = root;
  const value = rest.length === 0 ? entry : changed(isRecord(inner) ? inner : {}, rest, entry);
  return value === undefined ? others : { ...others, [key]: value };
}

/** Without maps that are empty: that a map of servers came or went with its last one is no difference. */
function tidy(root: Fields): Fields {
  return Object.fromEntries(
    Object.entries(root)
      .map(([key, value]) => [key, isRecord(value) ? tidy(value) : value] as const)
      .filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0),
  );
}
