import type { Cause } from "../errors.js";
import { isPath, placeOf } from "./commandPlace.js";

/** What was asked to start; only names of it go into messages. */
export interface SpawnSubject {
  readonly server: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Refuses what no system can start, before anything is started. */
export function refuseSpawn({ server, command, args, env, cwd }: SpawnSubject): Cause | undefined {
  const where = `server "${server}"`;
  if (command.trim() === "") return invalid(`${where}: command is empty; name a program`);
  if (command.includes("\0")) return invalid(`${where}: command holds a NUL character`);
  const arg = args.findIndex((each) => each.includes("\0"));
  if (arg >= 0) return invalid(`${where}: args[${arg}] holds a NUL character`);
  if (cwd?.includes("\0") === true) return invalid(`${where}: cwd holds a NUL character`);
  const name = Object.keys(env).find((each) => each.includes("\0") || env[each]?.includes("\0") === true);
  return name === undefined ? undefined : invalid(`${where}: env.${name} holds a NUL character`);
}

/** The cause behind a failed spawn: the system's error code, and what lies where the command was looked for. */
export function spawnCause(subject: SpawnSubject, code: string | undefined): Cause {
  const { server, command } = subject;
  const where = `server "${server}"`;
  switch (code) {
    case "ENOENT":
      return {
        kind: "command-not-found",
        message: `${where}: command "${command}" was not found${whereLooked(subject)}`,
      };
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
    case "EISDIR":
      return {
        kind: "command-not-executable",
        message: `${where}: command "${command}" may not be executed (${code})${notExecutable(subject)}`,
      };
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return {
        kind: "spawn-exhausted",
        message: `${where}: the system has no room for one more process (${code}); it is tried again later`,
      };
    case "E2BIG":
      return invalid(
        `${where}: args and env together are too long for the system (E2BIG); make them shorter`,
      );
    default:
      return invalid(`${where}: command "${command}" could not be started (${code ?? "unknown reason"})`);
  }
}

/** `searchPath` is told where the search was ours. */
export function notFound(server: string, command: string, searchPath?: string): Cause {
  const where = searchPath === undefined ? "" : ` on PATH (${searchPath || "empty"})`;
  return {
    kind: "command-not-found",
    message: `server "${server}": command "${command}" was not found${where}; install it, or give its full path`,
  };
}

/** Where it was looked for, and what to do. */
function whereLooked(subject: SpawnSubject): string {
  const { command, env, cwd } = subject;
  const path = pathOf(env);
  if (placeOf(command, path, cwd) === "executable")
    return ": the file is there, but not the program that its first line names; install that one";
  const blank = /\s/.test(command)
    ? "; it holds a blank: what follows the name of the program belongs in args"
    : "";
  if (isPath(command)) return `: there is no such file; correct the path, or install it${blank}`;
  const searched =
    path === undefined || path === "" ? "PATH is empty" : `searched on PATH: ${shortened(path)}`;
  return ` (${searched}); install it, or give its full path${blank}`;
}

function notExecutable({ command, env, cwd }: SpawnSubject): string {
  switch (placeOf(command, pathOf(env), cwd)) {
    case "folder":
      return ": it is a folder; name a program in it";
    case "not-executable":
      return `: the file has no permission to be executed; run chmod +x on it, or name its interpreter as the command`;
    default:
      return "; check that it is a program for this system, and its permissions";
  }
}

/** Windows writes it in other letters. */
function pathOf(env: SpawnSubject["env"]): string | undefined {
  return env["PATH"] ?? env[Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? ""];
}

function shortened(path: string): string {
  return path.length > 400 ? `${path.slice(0, 400)}…` : path;
}

function invalid(message: string): Cause {
  return { kind: "spawn-invalid", message };
}
