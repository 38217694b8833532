import { stat } from "node:fs/promises";
import type { Cause } from "../errors.js";

/** Checks a working directory before the spawn: the system would blame the command for it. */
export async function refuseWorkdir(id: string, cwd: string | undefined): Promise<Cause | undefined> {
  if (cwd === undefined) return undefined;
  const why = await whyUnusable(cwd);
  return why === undefined
    ? undefined
    : {
        kind: "cwd-missing",
        message: `server "${id}": working directory "${cwd}" ${why}; correct cwd or create it`,
      };
}

async function whyUnusable(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? undefined : "is not a directory";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    return code === "ENOENT" ? "does not exist" : `cannot be used (${code})`;
  }
}
