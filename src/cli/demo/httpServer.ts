import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { wait, within } from "../context/wait.js";

/** An MCP server that listens on a free port of 127.0.0.1. */
export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a script that listens on PORT, on a port the system picks. The tether loaded before it reports the port,
 * keeps it off the network, and ends it when this process is gone, however it went.
 */
export async function startHttpServer(
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<HttpServer> {
  const tether = new URL("./tether.js", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", tether, script, ...args], {
    // A group of its own: Ctrl-C must first end the sessions, then the server.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // It has a tool that shows its environment to anybody who asks.
    env: { PATH: process.env["PATH"], PORT: "0" },
  });
  const said: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => said.splice(0, said.length - 20, text));
  const port = await listening(child, said, signal);
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => end(child) };
}

async function listening(child: ChildProcess, said: readonly string[], signal: AbortSignal): Promise<number> {
  const patience = within(20_000, signal);
  try {
    const [message] = (await Promise.race([
      once(child, "message", { signal: patience }),
      once(child, "exit", { signal: patience }).then(() => [undefined]),
    ])) as [{ port?: number } | undefined];
    if (typeof message?.port === "number") return message.port;
    throw new Error(`exit code ${child.exitCode ?? child.signalCode}`);
  } catch (error) {
    await end(child);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the HTTP server of the demo did not start (${reason}): ${said.join("").trim()}`, {
      cause: error,
    });
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const patience = new AbortController();
  void wait(2000, patience.signal).then(() => patience.signal.aborted || child.kill("SIGKILL"));
  await gone;
  patience.abort();
}
