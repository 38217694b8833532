import type { FileHandle } from "node:fs/promises";
import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { resolve } from "node:path";
import type { ConfigProblem } from "../../errors.js";
import { ownershipProblem } from "../../keep/private.js";

/** A file as found: its text and permission bits (0600 on Windows), its absence, or why it is not read. */
export type FileReading =
  | { readonly kind: "text"; readonly text: string; readonly mode: number }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly problem: ConfigProblem };

/** No configuration is larger; what is, was meant for something else. */
const largest = 4 * 1024 * 1024;

/** What the files and placeholders of this process refer to. */
export interface Surroundings {
  readonly node: string;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** This runtime, its platform and its environment. */
export function surroundings(): Surroundings {
  return { node: process.execPath, platform: process.platform, env: process.env };
}

/** An absolute path, seen from the current folder. */
export function absolute(path: string): string {
  return resolve(path);
}

/**
 * Reads a text file that decides what runs: refused when it belongs to another user (root's is fine), when others may
 * write it, and when it is no regular file. Judged on the open file, so that nothing can be swapped in between.
 */
export async function readGuarded(file: string): Promise<FileReading> {
  let handle: FileHandle | undefined;
  try {
    // Without NONBLOCK opening a named pipe would wait for a writer for ever.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await handle.stat();
    if (!found.isFile()) return refused(file, "is not a regular file");
    if (found.size > largest) return refused(file, `is larger than ${largest / 1024 / 1024} MiB`);
    const problem = process.platform === "win32" ? undefined : ownershipProblem(found);
    if (problem !== undefined) return refused(file, problem);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await handle.readFile());
    return { kind: "text", text, mode: process.platform === "win32" ? 0o600 : found.mode & 0o777 };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // ENOTDIR: a folder of its path is a file; there is no such file either.
    if (code === "ENOENT") return await absentOrDangling(file);
    return code === "ENOTDIR" ? { kind: "absent" } : refused(file, `cannot be read (${code})`);
  } finally {
    await handle?.close();
  }
}

/** A link that leads nowhere was meant for a file: to take it for none, or to write one there, would be a guess. */
async function absentOrDangling(file: string): Promise<FileReading> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return { kind: "absent" };
  const target = await readlink(file).catch(() => "a file");
  return refused(file, `is a link to ${target}, which does not exist`);
}

function refused(file: string, what: string): FileReading {
  return {
    kind: "refused",
    problem: { severity: "error", file, message: `the file ${what}; it is not used` },
  };
}
