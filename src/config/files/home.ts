import { lstat, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError } from "../../errors.js";

/** The state folder: the option, else `MCPVISOR_HOME`, else `~/.mcpvisor`; absolute. */
export function resolveHome(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const chosen = [option, env["MCPVISOR_HOME"]].find((each) => each !== undefined && each !== "");
  return resolve(chosen ?? join(homedir(), ".mcpvisor"));
}

/** Makes the state folder (mode 0700) when it is missing; refuses one that is a link, not ours, or writable by others. */
export async function ensureHome(home: string): Promise<void> {
  // What else is there under this name is judged below.
  await mkdir(home, { recursive: true, mode: 0o700 }).catch(ignoreExisting);
  const found = await lstat(home);
  const problem = found.isSymbolicLink()
    ? "is a symbolic link"
    : !found.isDirectory()
      ? "is not a folder"
      : process.platform === "win32"
        ? undefined
        : ownershipProblem(found);
  if (problem !== undefined)
    throw new ConfigError(`the state folder ${home} ${problem}; choose another (MCPVISOR_HOME)`);
}

/** Why what is stored there could have been written by somebody else, or undefined. */
export function ownershipProblem(found: { readonly uid: number; readonly mode: number }): string | undefined {
  const me = process.getuid?.();
  if (me !== undefined && found.uid !== me && found.uid !== 0) return "belongs to another user";
  return (found.mode & 0o022) === 0 ? undefined : "can be written by others (chmod go-w)";
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
