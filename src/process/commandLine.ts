import type { Cause } from "../errors.js";

/** What to hand to spawn; `verbatim` means that args are one finished piece of a Windows command line. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/** The longest command line cmd.exe takes. */
const longestForCmd = 8191;

/**
 * The command line of a program on Windows. `.exe` files start directly; `.cmd` and `.bat` files (npx is one) can only
 * run in cmd.exe, which reads the line twice: its own characters are escaped for both readings, so that every argument
 * arrives as it is. `lookup` gives the file that a command stands for. No shell is ever given a string of the user.
 */
export function windowsCommandLine(
  server: string,
  command: string,
  args: readonly string[],
  lookup: (command: string) => string | undefined,
): CommandLine | Cause {
  const file = lookup(command) ?? command;
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

/** Finds a command on a Windows PATH with PATHEXT, as cmd.exe does; names of variables in any case. */
export function windowsLookup(
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): (command: string) => string | undefined {
  const read = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  const endings = (read("PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((each) => each !== "");
  const folders = (read("PATH") ?? "").split(";").filter((each) => each !== "");
  return (command) => {
    const places = /[\\/]/.test(command) ? [command] : folders.map((folder) => `${folder}\\${command}`);
    const hasEnding = endings.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
    return places
      .flatMap((place) => (hasEnding ? [place] : endings.map((ending) => `${place}${ending.toLowerCase()}`)))
      .find(exists);
  };
}
