import type { Cause } from "../errors.js";

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

/** The cause behind a failed spawn, judged by the system's error code alone. */
export function spawnCause(subject: SpawnSubject, code: string | undefined): Cause {
  const { server, command } = subject;
  const where = `server "${server}"`;
  switch (code) {
    case "ENOENT":
      return notFound(server, command);
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
    case "EISDIR":
      return {
        kind: "command-not-executable",
        message: `${where}: command "${command}" may not be executed (${code}); check that it is a program and its permissions`,
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

function invalid(message: string): Cause {
  return { kind: "spawn-invalid", message };
}
