import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { ConnectError } from "../errors.js";
import { spawnCause, type SpawnSubject } from "./spawnCause.js";

/** A child with its three pipes, alive at the moment it is handed over. */
export interface Launched {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export interface LaunchOptions extends SpawnSubject {
  /** Own session and group, and no terminal: a password prompt fails instead of hanging. */
  readonly detached: boolean;
  readonly verbatim: boolean;
}

/**
 * Starts a child. `onLaunched` runs in the same turn as the spawn itself, so that the child has an owner before
 * anything else can happen. Rejects with ConnectError.
 */
export async function launch(
  options: LaunchOptions,
  onLaunched: (launched: Launched) => void,
): Promise<void> {
  const start = process.platform === "win32" ? await onWindows() : spawnPlainly;
  const child = attempt(options, start);
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw await failureOf(options, child);
  if (stdin === null || stdout === null || stderr === null) throw new Error("a child without its pipes");
  onLaunched({ pid, child, stdin, stdout, stderr });
}

type Start = (options: LaunchOptions) => ChildProcess;

/**
 * POSIX needs nothing but the spawn. A promise of execa for each child that lives for days, with all that hangs on it,
 * would cost six times the memory of the child's own objects.
 */
const spawnPlainly: Start = ({ command, args, env, cwd, detached }) =>
  spawn(command, args, { env, detached, stdio: "pipe", ...(cwd === undefined ? {} : { cwd }) });

/** execa finds the program behind a script's first line, which Windows itself does not read. */
async function onWindows(): Promise<Start> {
  const { execa } = await import("execa");
  return ({ command, args, env, cwd, detached, verbatim }) => {
    const child = execa(command, args, {
      env,
      extendEnv: false,
      stdio: "pipe",
      buffer: false,
      reject: false,
      cleanup: false,
      detached,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      ...(cwd === undefined ? {} : { cwd }),
    });
    // Its promise waits for streams that a grandchild may hold for ever: `exit` is what counts.
    child.catch(() => {});
    return child;
  };
}

/** Some refusals of the system are thrown, others are told by an event of a child without a pid. */
function attempt(options: LaunchOptions, start: Start): ChildProcess {
  try {
    return start(options);
  } catch (error) {
    throw refusal(options, error);
  }
}

function failureOf(options: LaunchOptions, child: ChildProcess): Promise<ConnectError> {
  return new Promise((resolve) => child.once("error", (error) => resolve(refusal(options, error))));
}

function refusal(options: LaunchOptions, error: unknown): ConnectError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return new ConnectError(spawnCause(options, typeof code === "string" ? code : undefined), { cause: error });
}
