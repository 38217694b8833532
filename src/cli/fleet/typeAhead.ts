import type { Terminal } from "../context/terminal.js";

/** How long nothing must come: what was typed before is there at once. */
const quietMs = 60;
const interrupt = "\u0003";

/**
 * Reads and throws away what waits in the terminal, a line that was begun included. For that the terminal is told for a
 * moment to hand over what it has; Ctrl-C typed meanwhile still is the signal it was meant to be.
 */
export async function forgetTyped(
  stdin: Terminal["stdin"] & { setRawMode?(raw: boolean): unknown },
): Promise<void> {
  const raw = stdin.isTTY === true && typeof stdin.setRawMode === "function";
  if (raw) stdin.setRawMode?.(true);
  let interrupted = false;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stdin.off("data", onData);
      stdin.pause();
      resolve();
    };
    let quiet = setTimeout(end, quietMs);
    const onData = (chunk: unknown): void => {
      interrupted ||= String(chunk).includes(interrupt);
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    };
    stdin.on("data", onData);
    stdin.resume();
  });
  if (raw) stdin.setRawMode?.(false);
  if (raw && interrupted) process.kill(process.pid, "SIGINT");
}
