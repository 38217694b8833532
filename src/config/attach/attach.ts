import { readFile, rm, stat } from "node:fs/promises";
import { ConfigError } from "../../errors.js";
import { writeAtomic } from "../../keep/atomic.js";
import type { Fields } from "../fields/fields.js";
import type { AttachHost, Way } from "./hosts.js";
import { shapes } from "./hosts.js";
import { readHostFile } from "./text.js";

/** What became of a host's file. */
export interface Attached {
  readonly file: string;
  /** The entry as written. */
  readonly entry: Fields;
  /** Where the file lies as it was before; undefined when there was none. */
  readonly backup: string | undefined;
  readonly changed: boolean;
}

/**
 * Writes mcpvisor into the file of a host under this name, and keeps the file as it was before beside it. All else in it
 * stays to the letter. With `dryRun` nothing is written. Throws ConfigError when the host has no such way, or the file
 * cannot be read or changed safely.
 */
export async function attachTo(
  host: AttachHost,
  file: string,
  name: string,
  way: Way,
  { dryRun = false } = {},
): Promise<Attached> {
  const shape = shapes[host];
  const before = await read(file);
  const found = await readHostFile(before?.text ?? "", file, shape, name);
  const entry = shape.entry(way, found.root);
  if (entry === undefined)
    throw new ConfigError(`${shape.title} starts servers as commands only; attach it with --stdio`);
  const next = found.with(entry);
  const changed = next !== before?.text;
  const isOurs = found.entry !== undefined && (await onlyWith(found.entry)) === before?.text;
  const backup = before === undefined || isOurs ? undefined : backupOf(file);
  if (!dryRun && changed) {
    // The first one counts: it is how the file was before us.
    if (before !== undefined && backup !== undefined && (await read(backup)) === undefined)
      await writeAtomic(backup, before.text, before.mode);
    await writeAtomic(file, next, before?.mode);
  }
  return { file, entry, backup, changed };

  async function onlyWith(own: Fields): Promise<string> {
    return (await readHostFile("", file, shape, name)).with(own);
  }
}

/** What became of an entry that was to be taken out. */
export type Detached =
  | { readonly found: false }
  | {
      readonly found: true;
      /** The file is again what it was before, or gone if there was none. */
      readonly restored: boolean;
      /** How the host reached us. */
      readonly way: Way["kind"];
    };

/** Takes mcpvisor out again: an entry that was there before comes back, and whatever else was changed since stays. */
export async function detachFrom(host: AttachHost, file: string, name: string): Promise<Detached> {
  const shape = shapes[host];
  const now = await read(file);
  if (now === undefined) return { found: false };
  const here = await readHostFile(now.text, file, shape, name);
  if (here.entry === undefined) return { found: false };
  const way = isOverHttp(here.entry) ? "http" : "stdio";
  const kept = await read(backupOf(file));
  const before = await readHostFile(kept?.text ?? "", file, shape, name);
  const restored = before.with(here.entry) === now.text;
  if (restored && kept === undefined) await rm(file);
  else await writeAtomic(file, restored && kept ? kept.text : here.with(before.entry), now.mode);
  await rm(backupOf(file), { force: true });
  return { found: true, restored, way };
}

function isOverHttp(entry: Fields): boolean {
  return ["url", "httpUrl", "serverUrl"].some((field) => typeof entry[field] === "string");
}

function backupOf(file: string): string {
  return `${file}.before-mcpvisor`;
}

async function read(file: string): Promise<{ text: string; mode: number } | undefined> {
  try {
    const about = await stat(file);
    if (!about.isFile()) throw new ConfigError(`${file} is no file`);
    return { text: await readFile(file, "utf8"), mode: about.mode & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
