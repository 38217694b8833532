import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import type { ServerConfig } from "../../src/index.js";

const root = resolve(import.meta.dirname, "../..");
const own = join(import.meta.dirname, "../fixtures/interop");
const official = (name: string): string =>
  join(root, `node_modules/@modelcontextprotocol/${name}/dist/index.js`);

/** One server program of somebody else, and how to try it. */
export interface Tried {
  readonly name: string;
  /** Its npm package, whose version goes into the table. */
  readonly package: string;
  readonly over: "stdio" | "HTTP" | "HTTP+SSE";
  /** The program; over HTTP it is started here, and gets its port as `PORT` and `--http=PORT`. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly path?: string;
  readonly protocolVersion?: string;
  /** The revision that must be agreed on. */
  readonly revision: string;
  /** A call that is answered at once, and one that takes long enough to be cancelled. */
  readonly quick: readonly [string, object];
  readonly slow?: readonly [string, object];
}

const echo = ["echo", { text: "hi" }] as const;
const wait = ["wait", { ms: 30_000 }] as const;
const everything = {
  name: "server-everything",
  package: "@modelcontextprotocol/server-everything",
  program: official("server-everything"),
  quick: ["echo", { message: "hi" }],
  slow: ["trigger-long-running-operation", { duration: 30, steps: 300 }],
} as const;

export const tried: readonly Tried[] = [
  { ...everything, over: "stdio", args: ["stdio"], revision: "2025-11-25" },
  { ...everything, over: "HTTP", args: ["streamableHttp"], revision: "2025-11-25" },
  { ...everything, over: "HTTP+SSE", args: ["sse"], path: "/sse", revision: "2025-11-25" },
  {
    name: "server-filesystem",
    package: "@modelcontextprotocol/server-filesystem",
    over: "stdio",
    program: official("server-filesystem"),
    args: [own],
    revision: "2025-11-25",
    quick: ["list_directory", { path: own }],
  },
  {
    name: "server-memory",
    package: "@modelcontextprotocol/server-memory",
    over: "stdio",
    program: official("server-memory"),
    revision: "2025-11-25",
    quick: ["read_graph", {}],
  },
  {
    name: "server-sequential-thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
    over: "stdio",
    program: official("server-sequential-thinking"),
    revision: "2025-11-25",
    quick: [
      "sequentialthinking",
      { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    ],
  },
  ...(["stdio", "HTTP"] as const).map((over) => ({
    name: "official library, v1",
    package: "@modelcontextprotocol/sdk",
    over,
    program: join(own, "sdkV1.mjs"),
    revision: "2025-11-25",
    quick: echo,
    slow: wait,
  })),
  ...(
    [
      ["stdio", undefined, "2025-11-25"],
      ["stdio", "auto", "2026-07-28"],
      ["HTTP", "2025-11-25", "2025-11-25"],
      ["HTTP", undefined, "2026-07-28"],
    ] as const
  ).map(([over, pinned, revision]) => ({
    name: "official library, v2",
    package: "@modelcontextprotocol/server",
    over,
    program: join(own, "sdkV2.mjs"),
    ...(pinned === undefined ? {} : { protocolVersion: pinned }),
    revision,
    quick: echo,
    slow: wait,
  })),
  ...(["stdio", "HTTP"] as const).map((over) => ({
    name: "fastmcp",
    package: "fastmcp",
    over,
    program: join(own, "fastmcp.mjs"),
    revision: "2025-11-25",
    quick: echo,
    slow: wait,
  })),
  {
    name: "tmcp",
    package: "tmcp",
    over: "stdio",
    program: join(own, "tmcp.mjs"),
    revision: "2025-06-18",
    quick: ["echo", {}],
    slow: ["wait", {}],
  },
];

/** A running server program over HTTP. */
export interface Listening {
  readonly config: ServerConfig;
  /** Ends it at once and starts it again at the same address. */
  again(): Promise<void>;
  end(): Promise<void>;
}

export function stdioConfig({ program, args = [], protocolVersion }: Tried): ServerConfig {
  const pin = protocolVersion === undefined ? {} : { protocolVersion };
  return { id: "tried", command: process.execPath, args: [program, ...args], connectTimeout: 60, ...pin };
}

export async function listen(server: Tried): Promise<Listening> {
  const port = await freePort();
  let child = await begin(server, port);
  const transport = server.over === "HTTP" ? "http" : "sse";
  const url = `http://127.0.0.1:${port}${server.path ?? "/mcp"}`;
  const pin = server.protocolVersion === undefined ? {} : { protocolVersion: server.protocolVersion };
  return {
    config: { id: "tried", transport, url, connectTimeout: 60, ...pin },
    async again() {
      await end(child);
      child = await begin(server, port);
    },
    end: () => end(child),
  };
}

async function begin({ program, args = [] }: Tried, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...args, `--http=${port}`], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Each of them says that it listens, on one stream or the other, in words of its own.
  await new Promise<void>((done, failed) => {
    const look = (chunk: Buffer): void => {
      if (/listening|running|started/i.test(String(chunk))) done();
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => failed(new Error(`${program} ended with ${code}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
