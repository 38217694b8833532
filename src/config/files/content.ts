import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { StdioTarget } from "../../spec.js";

/** What of a text may be a path: the whole, and what follows an option's name (`--require=./x`, `-C./x`). */
function candidates(text: string): string[] {
  const words = text.split(/[\s"'=,;]+/);
  return [...new Set([text, ...words, ...words.flatMap((word) => word.split(":"))])].filter(
    (each) => each !== "" && each.length < 4096 && !each.includes("\0"),
  );
}

/**
 * The files of a project that a command of its own runs or loads, by path in the project, with the SHA-256 of what is in
 * them now: those that `command`, `args` or a value of `env` name, and that lie in the folder of the file or are linked
 * from there. Undefined when there are none.
 */
export async function projectFiles(
  folder: string,
  target: Pick<StdioTarget, "command" | "args" | "env" | "cwd">,
): Promise<Readonly<Record<string, string>> | undefined> {
  const texts = [target.command, ...target.args, ...Object.values(target.env)];
  const paths = [...new Set(texts.flatMap(candidates))].map((each) => resolve(target.cwd ?? folder, each));
  const root = await realpath(folder).catch(() => folder);
  const found = new Map<string, string>();
  for (const path of new Set(paths)) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) continue;
    const name = inside(folder, path) ?? inside(root, real);
    if (name !== undefined && (await isFile(real))) found.set(name, await hashOf(real));
  }
  return found.size === 0 ? undefined : Object.fromEntries([...found].toSorted(byName));
}

/** Whether the files are what they were when they were approved. */
export async function sameContent(projectFile: string, target: StdioTarget): Promise<boolean> {
  const now = (await projectFiles(dirname(projectFile), target)) ?? {};
  const then = target.files ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(then)]);
  return [...names].every((name) => now[name] === then[name]);
}

function inside(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  return name === "" || name === ".." || name.startsWith(`..${sep}`) || resolve(name) === name
    ? undefined
    : name.replaceAll(sep, "/");
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    // Not to be read by us, perhaps by the command: it counts as content of its own.
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
  return hash.digest("hex");
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}
