import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The file a command stands for, as execvp would find it with this PATH; undefined when there is none. */
export function which(command: string, searchPath: string | undefined, cwd?: string): string | undefined {
  if (command.includes("/")) return executable(resolve(cwd ?? ".", command));
  for (const folder of (searchPath ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter)) {
    const found = executable(resolve(cwd ?? ".", join(folder, command)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    // Not there or not executable: the search goes on.
    return undefined;
  }
}
