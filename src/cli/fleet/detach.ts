import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceClient } from "../../http/index.js";
import type { Context } from "../context/context.js";
import { wait } from "../context/wait.js";

/** What a service in the background writes besides its logs. */
export function outputPath(home: string): string {
  return join(home, "logs", "service.out");
}

/**
 * Starts this program anew with these arguments, in the background and in a session of its own, and resolves with a client
 * once its service answers. Rejects with what it wrote when it ends before.
 */
export async function startInBackground(
  context: Context,
  home: string,
  args: readonly string[],
): Promise<ServiceClient> {
  const { findService } = await import("../../http/service/lock.js");
  mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
  const output = openSync(outputPath(home), "w", 0o600);
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  let ended = false;
  child.once("exit", () => (ended = true)).once("error", () => (ended = true));
  child.unref();
  for (;;) {
    const running = await findService(home);
    // It has its lock before it listens.
    const client =
      running?.url === undefined && running?.socket === undefined
        ? undefined
        : await context.findService(home);
    if (client !== undefined) return client;
    if (ended) throw new Error(`the service did not start: ${lastOutput(outputPath(home))}`);
    if (context.interrupts.signal.aborted) throw new Error("interrupted while the service was starting");
    await wait(50, context.interrupts.signal);
  }
}

function lastOutput(path: string): string {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.length > 0 && lines[0] !== "" ? lines.slice(-3).join("; ") : `it wrote nothing to ${path}`;
}
