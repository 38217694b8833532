import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import * as ts from "typescript";
import { onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The engine's rooms as JavaScript, so that a real host program can be run and killed; removed by `remove`. */
export interface CompiledRooms {
  readonly folder: string;
  remove(): void;
}

export function compileRooms(): CompiledRooms {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "mcpvisor-test-"));
  const source = join(root, "src");
  for (const room of ["clock.ts", "errors.ts", "process", "protocol", "transport"]) {
    for (const file of sourceFiles(join(source, room))) {
      const to = join(folder, relative(source, file).replace(/\.ts$/, ".js"));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, transpile(readFileSync(file, "utf8")));
    }
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function transpile(text: string): string {
  return ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}

function sourceFiles(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}

/** A running host program; it is killed after the test. */
export interface Host {
  readonly process: ChildProcess;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** The next JSON line it prints. */
  line(): Promise<Record<string, unknown>>;
}

const program = resolve(import.meta.dirname, "../fixtures/processes/host.mjs");

/** Runs test/fixtures/processes/host.mjs on the compiled rooms with a plan. */
export function startHost(rooms: CompiledRooms, plan: object, env: Record<string, string> = {}): Host {
  const child = spawn(process.execPath, [program, rooms.folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PLAN: JSON.stringify(plan), ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once("exit", (code, signal) => done({ code, signal }));
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    exit,
    async line() {
      const next = await lines.next();
      if (next.done === true) throw new Error("the host printed nothing more");
      return JSON.parse(next.value) as Record<string, unknown>;
    },
  };
}
