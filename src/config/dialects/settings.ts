import { isRecord } from "../fields/fields.js";
import type { RawEntry, RawFile } from "./raw.js";
import { entryAt, wrongShape } from "./raw.js";

/** Dialect (a): the section `mcp` of settings.json, or that section by itself. The rest of the file is others' matter. */
export function readSettings(section: unknown, path: string): RawFile {
  if (!isRecord(section)) return wrongShape(path, 'must be an object like {"servers": [...]}');
  const servers = section["servers"] ?? [];
  const at = path === "" ? ["servers"] : [path, "servers"];
  if (!Array.isArray(servers)) return wrongShape(at.join("."), "must be a list of servers");
  return { entries: servers.map((value, index) => entryOf(value, [...at, index])), problems: [] };
}

function entryOf(value: unknown, at: readonly (string | number)[]): RawEntry {
  const id = isRecord(value) && typeof value["id"] === "string" ? value["id"] : undefined;
  return entryAt("settings", id ?? at.join("."), at, value);
}
