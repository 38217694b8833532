import { win32 } from "node:path";
import type { Cause } from "../errors.js";
import { notFound } from "./spawnCause.js";

/** What to hand to spawn; `verbatim` means that args are one finished piece of a Windows command line. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/** Finds the file that a command stands for. */
export interface Lookup {
  (command: string): string | undefined;
  /** Where names without a folder are looked for, to be told when there is no such file. */
  readonly searchPath?: string;
}

/** The longest command line cmd.exe takes. */
const longestForCmd = 8191;

/**
 * The command line of a program on Windows. `.exe` files start directly; `.cmd` and `.bat` files (npx is one) can only
 * run in cmd.exe, which reads the line twice: its own characters are escaped for both readings, so that every argument
 * arrives as it is. A command that is nowhere is refused here, because cmd.exe would only tell it by an exit code. No shell
 * is ever given a string of the user.
 */
export function windowsCommandLine(
  server: string,
  command: string,
  args: readonly string[],
  lookup: Lookup,
): CommandLine | Cause {
  const file = lookup(command);
  if (file === undefined) return notFound(server, command, lookup.searchPath);
  if (!/\.(?:cmd|bat)$/i.test(file)) return { command: file, args, verbatim: false };
  const bad = [file, ...args].find((each) => /[\r\n\0]/.test(each));
  if (bad !== undefined) {
    return refuse(
      server,
      "arguments of a .cmd or .bat file cannot hold line breaks or NUL; start its program directly",
    );
  }
  const line = [escapeForCmd(file.replaceAll("/", "\\")), ...args.map(escapeArgument)].join(" ");
  if (line.length > longestForCmd - 100) {
    return refuse(
      server,
      `its command line of ${line.length} characters is too long for cmd.exe; make args shorter`,
    );
  }
  return { command: "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** Quoted as the C run time reads it (backslashes count only before a quote), then twice for cmd.exe. */
function escapeArgument(arg: string): string {
  const quoted = `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  return escapeForCmd(escapeForCmd(quoted));
}

function escapeForCmd(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}

function refuse(server: string, message: string): Cause {
  return { kind: "spawn-invalid", message: `server "${server}": ${message}` };
}

/**
 * Finds a command in the working folder and on a Windows PATH with PATHEXT, as the system does; names of variables in any
 * case. A name with an ending of its own may also be a script whose first line names its program.
 */
export function windowsLookup(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
  cwd = ".",
): Lookup {
  const read = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  const endings = (read("PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((each) => each !== "");
  const searchPath = read("PATH") ?? "";
  const folders = searchPath.split(";").filter((each) => each !== "");
  const places = (command: string): readonly string[] => {
    if (win32.isAbsolute(command)) return [command];
    if (/[\\/]/.test(command)) return [win32.join(cwd, command)];
    return [win32.join(cwd, command), ...folders.map((folder) => `${folder}\\${command}`)];
  };
  const find = (command: string): string | undefined => {
    const hasEnding = endings.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
    const own = /\.[^\\/.]+$/.test(command) ? [""] : [];
    const tried = hasEnding ? [""] : [...endings.map((ending) => ending.toLowerCase()), ...own];
    return places(command)
      .flatMap((place) => tried.map((ending) => `${place}${ending}`))
      .find(exists);
  };
  return Object.assign(find, { searchPath });
}
