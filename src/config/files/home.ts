import { lstat, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError } from "../../errors.js";
import { folderProblem } from "../../keep/private.js";

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
  await judgeHome(home);
}

/** Refuses a state folder that is a link, not ours, or writable by others; one that is not there yet is good. */
export async function judgeHome(home: string): Promise<void> {
  const found = await lstat(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const problem = found && folderProblem(found);
  if (problem !== undefined)
    throw new ConfigError(`the state folder ${home} ${problem}; choose another (MCPVISOR_HOME)`);
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
