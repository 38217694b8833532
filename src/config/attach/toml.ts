import type { Fields } from "../fields/fields.js";

/**
 * A TOML text with one table set or (undefined) taken out, by lines: a table's own lines reach to the next header. What
 * is written otherwise (inline tables, dotted keys) is not seen here; who calls compares what the text means.
 */
export function tomlWith(source: string, at: readonly string[], entry: Fields | undefined): string {
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const kept = without(source.split(/\r?\n/), at).join(eol);
  if (entry === undefined) return kept;
  const block = table(at, entry).join(eol);
  const before = kept.trimEnd();
  return `${before === "" ? "" : before + eol + eol}${block}${eol}`;
}

function without(lines: readonly string[], at: readonly string[]): string[] {
  const kept: string[] = [];
  let isOurs = false;
  for (const line of lines) {
    const header = headerOf(line);
    if (header !== undefined) isOurs = at.every((each, depth) => header[depth] === each);
    if (!isOurs) kept.push(line);
  }
  // The gap before a table goes with it.
  if (kept.length < lines.length)
    while (kept.length > 1 && kept.at(-1) === "" && kept.at(-2) === "") kept.pop();
  return kept;
}

/** The keys of `[a.b."c d"]`; undefined for a line that is none. */
function headerOf(line: string): readonly string[] | undefined {
  const inner = /^\s*\[\[?\s*(.+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
  if (inner === undefined || !/^\s*\[/.test(line)) return undefined;
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, basic, literal, bare]) => basic ?? literal ?? bare ?? "",
  );
}

function table(at: readonly string[], entry: Fields): string[] {
  return [
    `[${at.map(key).join(".")}]`,
    ...Object.entries(entry).map(([name, value]) => `${key(name)} = ${written(value)}`),
  ];
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${key(name)} = ${written(each)}`)
      .join(", ")} }`;
  return typeof value === "string" ? text(value) : String(value);
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : text(name);
}

/** A basic string: its escapes are those of JSON, but for what JSON leaves as it is (TOML 1.0, String). */
function text(value: string): string {
  return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
}
