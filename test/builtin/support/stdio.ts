import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/** Where the built servers lie; they are started as programs, never imported. */
export const dist = resolve(import.meta.dirname, "../../../dist/builtin");

export interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A built-in server as a child process, spoken to in JSON-RPC lines. */
export interface Stdio {
  readonly child: ChildProcessWithoutNullStreams;
  readonly notes: Answer[];
  stderr(): string;
  stdout(): string;
  send(message: Record<string, unknown>): void;
  request(method: string, params?: Record<string, unknown>): Promise<Answer> & { readonly id: number };
  close(): Promise<number | null>;
}

export function start(
  name: "gmail" | "connectors",
  args: readonly string[],
  env: Record<string, string> = {},
): Stdio {
  const file = join(dist, name, "main.js");
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`);
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  const notes: Answer[] = [];
  let stderr = "";
  let stdout = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id === undefined) notes.push(answer);
    else waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send: Stdio["send"] = (message) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    child,
    notes,
    stderr: () => stderr,
    stdout: () => stdout,
    send,
    request: (method, params = {}) => {
      const id = ++last;
      const answer = new Promise<Answer>((done) => waiting.set(id, done));
      send({ id, method, params });
      return Object.assign(answer, { id });
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
      return child.exitCode;
    },
  };
}

/** Shakes hands in the legacy era; answers with the result of initialize. */
export async function initialize(server: Stdio): Promise<Record<string, unknown>> {
  const clientInfo = { name: "test", version: "1" };
  const answer = await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo,
  });
  server.send({ method: "notifications/initialized" });
  return answer.result ?? {};
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** Calls a tool and takes its result apart. */
export async function call(server: Stdio, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const { result, error } = await server.request("tools/call", { name, arguments: args });
  if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
  const content = result["content"] as { text: string }[];
  return {
    text: content.map(({ text }) => text).join("\n"),
    isError: result["isError"] === true,
    structured: result["structuredContent"],
  };
}

/** The tools on offer. */
export async function tools(
  server: Stdio,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const { result = {} } = await server.request("tools/list", params);
  return result["tools"] as Record<string, unknown>[];
}

/** Their names. */
export async function toolNames(server: Stdio): Promise<unknown[]> {
  return (await tools(server)).map(({ name }) => name);
}
