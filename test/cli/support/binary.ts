import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const binary = join(root, "dist/cli/main.js");

/** Path of a fake server. */
export function fixture(name: string): string {
  return join(root, "test/fixtures/servers", name);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a state folder of its own, in which the built command runs without a terminal. */
export function openSandbox() {
  const folder = mkdtempSync(join(tmpdir(), "mcpvisor-cli-"));
  const home = join(folder, "home");
  const running = new Set<ReturnType<typeof spawn>>();
  const start = (args: readonly string[], input?: string, extra: Readonly<Record<string, string>> = {}) => {
    if (!existsSync(binary)) throw new Error(`${binary} is missing: run "npm run build" first`);
    const { MCPVISOR_HOME: _home, FORCE_COLOR: _color, ...env } = process.env;
    const child = spawn(process.execPath, [binary, ...args], {
      cwd: folder,
      env: { ...env, MCPVISOR_HOME: home, ...extra },
    });
    running.add(child);
    const out = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (out.stderr += text));
    child.stdin.end(input ?? "");
    const ended = new Promise<Ended>((done) => {
      child.once("close", (code) => {
        running.delete(child);
        done({ code, ...out });
      });
    });
    return { child, out, ended };
  };
  return {
    folder,
    start,
    home,
    run: (args: readonly string[], input?: string, extra?: Readonly<Record<string, string>>) =>
      start(args, input, extra).ended,
    file(name: string, content: string): string {
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
    close() {
      for (const child of running) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** An `mcpServers` file with these servers, each `[script, ...args]`. */
export function serversFile(servers: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(servers).map(([name, args]) => [name, { command: process.execPath, args }]);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}
