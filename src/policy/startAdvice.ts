import type { Cause } from "../errors.js";

/** What a process was started with, as far as advice needs it. */
export interface StartedWith {
  readonly command: string;
  readonly args: readonly string[];
  /** The entry's own variables. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What probably lies behind a process that never became a server, as the end of its message; empty when nothing is
 * known. Only said where the configuration itself shows it.
 */
export function startAdvice(cause: Cause, started: StartedWith): string {
  if (cause.kind === "exited-before-ready" || /before it answered initialize/.test(cause.message))
    return withoutStdin(started)
      ? "; without -i (--interactive) a container has no stdin: add -i behind run in args"
      : "";
  if (cause.kind === "connect-timeout" || /was not ready within/.test(cause.message))
    return isBufferedPython(started)
      ? "; Python keeps back what it prints into a pipe until its buffer is full: start it with -u, set " +
          "PYTHONUNBUFFERED=1 in env, or flush after each answer"
      : "";
  return "";
}

const engines = /^(docker|podman|nerdctl)(\.exe)?$/i;

/** Whether this runs a container (`run`, `exec`, `start`) that nothing can be said to. */
function withoutStdin({ command, args }: StartedWith): boolean {
  const line = [nameOf(command), ...args];
  const at = line.findIndex((each) => engines.test(nameOf(each)));
  if (at < 0) return false;
  const rest = line.slice(at + 1);
  // Plugins have options of their own, and compose run gives stdin by itself.
  if (rest.some((each) => each === "compose" || each === "mcp")) return false;
  const verb = rest.findIndex((each) => each === "run" || each === "exec");
  if (verb < 0) return false;
  return !rest.slice(verb + 1).some((each) => /^(--interactive(=true)?|-[a-zA-Z]*i[a-zA-Z]*)$/.test(each));
}

const python = /^(python[\d.]*|pypy[\d.]*|py|uv|uvx|pipx|poetry|pdm|hatch|conda|fastmcp)(\.exe)?$/i;

/** Whether this is Python, or what starts it, with nothing that makes it write at once. */
function isBufferedPython({ command, args, env }: StartedWith): boolean {
  const words = [command, ...args.flatMap((each) => each.split(/\s+/))];
  const isPython =
    words.some((each) => python.test(nameOf(each))) || args.some((each) => /\.pyz?$/.test(each));
  const isSet =
    (env["PYTHONUNBUFFERED"] ?? "") !== "" || args.some((each) => /\bPYTHONUNBUFFERED=./.test(each));
  return isPython && !isSet && !args.some((each) => /^-[a-zA-Z]*u[a-zA-Z]*$/.test(each));
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
