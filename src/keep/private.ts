import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";

/** What a look at a file tells of it. */
interface Found {
  readonly uid: number;
  readonly mode: number;
  isSymbolicLink(): boolean;
  isDirectory(): boolean;
}

/** Why what is stored there could have been written by somebody else, or undefined. Windows has no such modes. */
export function ownershipProblem(found: Pick<Found, "uid" | "mode">): string | undefined {
  const me = process.getuid?.();
  if (me !== undefined && found.uid !== me && found.uid !== 0) return "belongs to another user";
  return (found.mode & 0o022) === 0 ? undefined : "can be written by others (chmod go-w)";
}

/** Why this is no folder of ours, or undefined. `found` is what `lstat` said. */
export function folderProblem(found: Found): string | undefined {
  if (found.isSymbolicLink()) return "is a symbolic link";
  if (!found.isDirectory()) return "is not a folder";
  return process.platform === "win32" ? undefined : ownershipProblem(found);
}

/**
 * Makes a folder of mode 0700, and those above it, when it is not there; one that is there is judged and never changed.
 * Rejects with what is wrong with it.
 */
export async function ownFolder(path: string): Promise<void> {
  // What else is there under this name is judged below.
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const problem = folderProblem(await lstat(path));
  if (problem !== undefined) throw new Error(`${path} ${problem}; choose another folder`);
}

/**
 * The text of a file that only we (or root) can have written; undefined when there is none. Judged on the open file, and
 * no link is followed. Rejects with what is wrong with it.
 */
export async function readOwn(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Without NONBLOCK opening a named pipe would wait for a writer for ever.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ELOOP") throw new Error(`${path} is a symbolic link; remove it`);
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    const problem = !found.isFile()
      ? "is not a plain file"
      : process.platform === "win32"
        ? undefined
        : ownershipProblem(found);
    if (problem !== undefined) throw new Error(`${path} ${problem}; remove it`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
