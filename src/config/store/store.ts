import { basename } from "node:path";
import type { ConfigProblem } from "../../errors.js";
import { ConfigError } from "../../errors.js";
import type { ContextOptions } from "../dialects/context.js";
import { parseContext } from "../dialects/context.js";
import type { RawEntry } from "../dialects/raw.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { idFor } from "../entries/identity.js";
import type { SaveOptions, ServerConfig, ServerPatch } from "../entries/input.js";
import { readGuarded } from "../files/load.js";
import { presetEntry } from "../entries/presets.js";
import { inTurn } from "./inTurn.js";
import { patched } from "./patch.js";
import { maskEntry, viewOf } from "./view.js";

/**
 * Writes one server into a file, new or in place of the entry of the same id. Comments, unknown fields and all other
 * entries stay; `********` keeps the stored value; the write is atomic. Throws ConfigError, with nothing written, when
 * the file is broken or refused, the entry is invalid, or there is no stored value to keep.
 */
export async function saveEntry(
  file: string,
  config: ServerConfig | ServerPatch,
  context: ContextOptions,
  options: SaveOptions = {},
): Promise<void> {
  await change(file, (text) => withValid(text, file, config, context, options));
}

/** Does everything that `saveEntry` does but for the writing, and throws the same. */
export async function tryEntry(file: string, config: ServerConfig, context: ContextOptions): Promise<void> {
  await withValid((await textOf(file)).text, file, config, context, {});
}

/** Removes a server from a file; false when it is not in it. */
export async function removeEntryOf(file: string, id: string): Promise<boolean> {
  return change(file, async (text) => {
    const { findEntry, removeEntry } = await import("./edit.js");
    const entry = findEntry(text, id);
    return entry === undefined ? undefined : removeEntry(text, entry);
  });
}

/**
 * Switches a server of a file on or off, in the words the file uses; false when it is not in it. A server that ships
 * with mcpvisor is written into settings.json the first time.
 */
export async function enableEntry(file: string, id: string, enabled: boolean): Promise<boolean> {
  return change(file, async (text) => {
    const { addEntry, findEntry, placeForNew, updateEntry } = await import("./edit.js");
    const entry = findEntry(text, id);
    if (entry === undefined) {
      const preset = dialectOf(file) === "settings" ? presetEntry(id) : undefined;
      return preset && addEntry(text, placeForNew(text, id, "settings"), { ...preset, enabled });
    }
    if (!isRecord(entry.value)) return undefined;
    const inverted = Object.hasOwn(entry.value, "disabled");
    return updateEntry(text, entry, inverted ? { disabled: !enabled } : { enabled }, ["enabled", "disabled"]);
  });
}

/** A server as it stands in a file, with every env and header value as `********`; undefined when it is not in it. */
export async function showEntry(file: string, id: string): Promise<Fields | undefined> {
  const found = await readGuarded(file);
  if (found.kind !== "text") return undefined;
  const { findEntry } = await import("./edit.js");
  const entry = findEntry(found.text, id);
  return isRecord(entry?.value) ? maskEntry(entry.value) : undefined;
}

async function withValid(
  text: string,
  file: string,
  config: ServerConfig | ServerPatch,
  context: ContextOptions,
  options: SaveOptions,
): Promise<string> {
  const { parseConfig } = await import("../dialects/parse.js");
  const before = parseConfig(text, { ...parseContext(context), file }).entries;
  const spec = before.findLast((each) => each.id === config.id)?.spec;
  const edited = await withEntry(text, file, config, spec === undefined ? undefined : viewOf(spec), options);
  const after = parseConfig(edited, { ...parseContext(context), file });
  const entry = after.entries.findLast((each) => each.id === config.id);
  if (entry?.spec !== undefined) return edited;
  const problems = entry?.problems ?? after.problems;
  throw invalid(`the server "${config.id}" cannot be saved`, problems);
}

async function withEntry(
  text: string,
  file: string,
  config: ServerConfig | ServerPatch,
  view: Fields | undefined,
  { merge = false }: SaveOptions,
): Promise<string> {
  const [{ addEntry, findEntry, placeForNew, updateEntry }, { ownedFields, restoreStars, toDialect }] =
    await Promise.all([import("./edit.js"), import("./written.js")]);
  const entry = findEntry(text, config.id);
  const stored = isRecord(entry?.value) ? entry.value : {};
  const { id, name } = config;
  const key = typeof name === "string" && idFor(name) === id ? name : id;
  const place = placeForNew(text, key, dialectOf(file));
  const dialect = entry?.dialect ?? (typeof place.at(-1) === "number" ? "settings" : "mcpServers");
  // One that ships with mcpvisor is an entry before anybody has written it down.
  const base = entry === undefined && dialect === "settings" ? (presetEntry(id) ?? {}) : maskEntry(stored);
  const known = { fields: stored, ...(view === undefined ? {} : { view }) };
  const given = toDialect({ ...config }, dialect, stored);
  const { fields, missing } = restoreStars(merge ? patched(base, given) : given, known);
  if (missing.length > 0) {
    const problems = missing.map((path) => starred(config.id, path));
    throw invalid(`the server "${config.id}" cannot be saved`, problems);
  }
  if (entry === undefined) return addEntry(text, place, fields);
  return updateEntry(text, entry, fields, ownedFields(dialect));
}

/**
 * Reads, changes and writes a file while no other mcpvisor does. Editors and other programs know nothing of our lock,
 * so it begins anew when one of them wrote in between.
 */
async function change(file: string, work: (text: string) => Promise<string | undefined>): Promise<boolean> {
  return inTurn(file, async (held) => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const before = await textOf(file);
      const after = await work(before.text);
      if (after === undefined) return false;
      if ((await textOf(file)).text !== before.text) continue;
      if (after !== before.text) await held.write(after, before.mode);
      return true;
    }
    throw new ConfigError(`${file} is being written by another program all the time; try again`);
  });
}

async function textOf(file: string): Promise<{ text: string; mode: number }> {
  const found = await readGuarded(file);
  if (found.kind === "refused") throw invalid(`${file} cannot be changed`, [found.problem]);
  if (found.kind === "absent") return { text: "{}\n", mode: 0o600 };
  const { readJsonc, syntaxProblems } = await import("../files/jsonc.js");
  const source = readJsonc(found.text);
  if (!source.ok) {
    const problems = syntaxProblems(source.errors, file);
    throw invalid(`${file} cannot be changed as long as it is broken`, problems);
  }
  // A file of ours is for its owner's eyes; one that belongs to a project keeps the bits it has.
  return { text: found.text, mode: basename(file) === ".mcp.json" ? found.mode : 0o600 };
}

function dialectOf(file: string): RawEntry["dialect"] {
  return basename(file) === "settings.json" ? "settings" : "mcpServers";
}

function starred(server: string, path: string): ConfigProblem {
  return { severity: "error", server, path, message: "is ********, and there is no stored value to keep" };
}

function invalid(what: string, problems: readonly ConfigProblem[]): ConfigError {
  const errors = problems.filter((each) => each.severity === "error");
  const reasons = errors.map((each) =>
    [each.path, each.message].filter((part) => part !== undefined).join(" "),
  );
  return new ConfigError(reasons.length === 0 ? what : `${what}: ${reasons.join("; ")}`, errors);
}
