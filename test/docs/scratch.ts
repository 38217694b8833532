import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root, type Block } from "./blocks.js";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder in which the blocks of one page run, with a home and a `mcpvisor` of its own. */
export class Scratch implements Disposable {
  /** Inside of the repository, so that `mcpvisor` and the official servers are found without a network. */
  readonly folder: string;

  constructor() {
    mkdirSync(join(root, ".vitest"), { recursive: true });
    this.folder = mkdtempSync(join(root, ".vitest", "docs-"));
    symlinkSync(join(root, "examples"), join(this.folder, "examples"));
    const program = this.write("bin/mcpvisor", `#!/bin/sh\nexec node "${root}/dist/cli/main.js" "$@"\n`);
    chmodSync(program, 0o755);
  }

  /** Puts a file there; gives its whole path. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Runs a block as a reader would; whatever it has started ends with it. */
  async run(block: Block): Promise<Ran> {
    if (block.language === "sh") return this.start("bash", ["-euo", "pipefail", "-c", block.text]);
    const name = `${block.place.replace(/\W+/g, "-")}.mjs`;
    const { outputText } = ts.transpileModule(block.text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    this.write(name, outputText);
    return this.start(process.execPath, [name]);
  }

  async start(command: string, args: readonly string[]): Promise<Ran> {
    const child = spawn(command, args, {
      cwd: this.folder,
      detached: true,
      env: {
        PATH: `${this.folder}/bin:${process.env["PATH"]}`,
        HOME: this.folder,
        NO_COLOR: "1",
        npm_config_offline: "true",
        npm_config_cache: join(this.folder, ".npm"),
        DOCS_TOKEN: "a token for the docs",
        WEB_TOKEN: "a token for the web",
      },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.stdin.end();
    const limit = setTimeout(() => endGroup(child.pid), 100_000);
    try {
      // Not `close`: what it left in the background may hold the pipes.
      const code = await new Promise<number | null>((done) => child.once("exit", done));
      await new Promise((done) => setImmediate(done));
      return { code, stdout, stderr };
    } finally {
      clearTimeout(limit);
      endGroup(child.pid);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
