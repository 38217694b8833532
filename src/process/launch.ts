import type { ChildProcess } from "node:child_process";
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

/** execa is loaded at the first start: a fleet of HTTP servers never pays for it. */
let execaModule: Promise<typeof import("execa")> | undefined;
export function loadLauncher(): Promise<typeof import("execa")> {
  return (execaModule ??= import("execa"));
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
  const { execa } = await loadLauncher();
  const child = execa(options.command, options.args, {
    env: options.env,
    extendEnv: false,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    buffer: false,
    reject: false,
    cleanup: false,
    detached: options.detached,
    windowsHide: true,
    windowsVerbatimArguments: options.verbatim,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  if (child.pid !== undefined) {
    // Its promise waits for streams that a grandchild may hold for ever: `exit` is what counts.
    child.catch(() => {});
    return onLaunched({
      pid: child.pid,
      child,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
    });
  }
  const failed = await child;
  const code = failed.code ?? codeOf(failed.cause);
  throw new ConnectError(spawnCause(options, code), { cause: failed.cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
