import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/** What lies where a command was looked for. */
export type CommandPlace = "nothing" | "folder" | "not-executable" | "executable";

/** What a command names; of a bare name the first thing of that name on PATH. Only asked when a start has failed. */
export function placeOf(command: string, path: string | undefined, cwd = "."): CommandPlace {
  if (isPath(command)) return lookAt(resolve(cwd, command));
  const found = (path ?? "").split(delimiter).map((folder) => lookAt(resolve(cwd, folder, command)));
  return found.find((each) => each !== "nothing") ?? "nothing";
}

/** Whether it is looked for in one place only, and not on PATH. */
export function isPath(command: string): boolean {
  return /[/\\]/.test(command);
}

function lookAt(file: string): CommandPlace {
  try {
    if (statSync(file).isDirectory()) return "folder";
    accessSync(file, constants.X_OK);
    return "executable";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "not-executable" : "nothing";
  }
}
