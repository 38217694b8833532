import type { ConfigError } from "../index.js";
import { createForeground } from "./context/context.js";
import type { Context } from "./context/context.js";
import { exitCodes, UsageError } from "./context/exitCodes.js";
import { listenForInterrupts, type Interrupts } from "./context/interrupts.js";
import { problemLine } from "./screen/problems.js";
import { openTerminal } from "./context/terminal.js";
import { visible } from "./screen/visible.js";
import { untilAborted } from "./context/wait.js";

/** Runs a command on the real terminal and resolves with its exit code; errors become messages. */
export async function runCommand(run: (context: Context) => Promise<number>): Promise<never> {
  const interrupts = listenForInterrupts(process);
  const context: Context = {
    terminal: openTerminal(process, process.env),
    interrupts,
    env: process.env,
    foreground: createForeground(),
    open: async (options) => (await import("../index.js")).createSupervisor(options),
    findService: async (home) => {
      // The two small modules of the room, not its door: that one loads the whole HTTP server.
      const running = await (await import("../http/service/lock.js")).findService(home);
      return running && (await import("../http/client/client.js")).connectService(home, running);
    },
  };
  leaveWhenNobodyReads(interrupts);
  const done = new AbortController();
  // Timers of the engine do not hold the process, but a command is not over before it says so.
  void untilAborted(done.signal);
  const code = await run(context).catch((error: unknown) => tell(context, error));
  done.abort();
  await flushed(process.stdout);
  // Nothing that was left open by a library may keep the command from ending.
  process.exit(code);
}

function tell(context: Context, error: unknown): number {
  const { stderr } = context.terminal;
  if (error instanceof UsageError || isConfigError(error) || isServiceRunning(error)) {
    stderr.write(`error: ${visible(error.message)}\n`);
    const problems = isConfigError(error) ? error.problems : [];
    for (const problem of problems) stderr.write(`${problemLine(problem)}\n`);
    return exitCodes.usage;
  }
  const interrupted = context.interrupts.exitCode();
  if (interrupted !== undefined) return interrupted;
  const text = error instanceof Error ? error.message : String(error);
  stderr.write(`error: ${visible(text)}\n`);
  return exitCodes.failed;
}

/** By its code: the class itself would load the whole library for every command. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && "code" in error && error.code === "CONFIG_INVALID";
}

function isServiceRunning(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "SERVICE_RUNNING";
}

/** `mcpvisor events | head`: when the reader has gone, end as if asked to, without a word. */
function leaveWhenNobodyReads(interrupts: Interrupts): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") interrupts.leave();
    else throw error;
  });
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
