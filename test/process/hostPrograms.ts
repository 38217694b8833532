import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import * as ts from "typescript";
import { onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Where the process registry begins, and where the whole library does; what they import comes along. */
const processRooms = ["process"];
export const libraryRooms = ["index.ts"];

/** The engine's rooms as JavaScript, so that a real host program can be run and killed; removed by `remove`. */
export interface CompiledRooms {
  readonly folder: string;
  remove(): void;
}

export function compileRooms(names: readonly string[] = processRooms): CompiledRooms {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "mcpvisor-test-"));
  const folder = join(home, "dist");
  const source = join(root, "src");
  const files = new Set(names.flatMap((room) => sourceFiles(join(source, room))));
  // A set gives what is added while it is walked.
  for (const file of files) {
    const to = join(folder, relative(source, file).replace(/\.ts$/, ".js"));
    const text = transpile(readFileSync(file, "utf8"));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
    for (const [, what = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g))
      files.add(resolve(dirname(file), `${what}.ts`));
  }
  // The library reads its own version there, and Node that these are modules.
  copyFileSync(join(root, "package.json"), join(home, "package.json"));
  return { folder, remove: () => rmSync(home, { recursive: true, force: true }) };
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

const programs = resolve(import.meta.dirname, "../fixtures/processes");

/** Runs test/fixtures/processes/host.mjs on the compiled rooms with a plan. */
export function startHost(rooms: CompiledRooms, plan: object, env: Record<string, string> = {}): Host {
  return start("host.mjs", rooms, plan, env);
}

/** Runs test/fixtures/processes/waitingHost.mjs on the compiled library with a plan. */
export function startWaitingHost(rooms: CompiledRooms, plan: object): Host {
  return start("waitingHost.mjs", rooms, plan, {});
}

function start(program: string, rooms: CompiledRooms, plan: object, env: Record<string, string>): Host {
  const child = spawn(process.execPath, [join(programs, program), rooms.folder], {
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
