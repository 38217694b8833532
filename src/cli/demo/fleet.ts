import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionMode, ServerConfig, SupervisorOptions } from "../../index.js";
import type { Sample } from "../fleet/sampleCalls.js";
import { fleetOf } from "../../testing/index.js";
import { entryOf } from "./packages.js";
import { startHttpServer } from "./httpServer.js";
import { writeSamples } from "./samples.js";
import { scriptedServers } from "./scripted.js";

/** The embedded fleet: four lives of three official servers, with a call to try on each. */
export interface Demo {
  readonly options: SupervisorOptions;
  readonly mode: PermissionMode;
  readonly samples: readonly Sample[];
  /** Ends the HTTP server and removes what the demo wrote. */
  close(): Promise<void>;
}

/**
 * Starts what the fleet needs beside it: a folder of its own and the server that is reached over HTTP. Where the official
 * servers are not installed, scripted ones with the same tools take their place.
 */
export async function openDemo(signal: AbortSignal): Promise<Demo> {
  const home = await mkdtemp(join(tmpdir(), "mcpvisor-demo-"));
  const options = { recursive: true, force: true, maxRetries: 3 };
  const remove = () => rm(home, options);
  // A second Ctrl-C ends the process without a further await.
  process.once("exit", () => rmSync(home, options));
  try {
    const files = await writeSamples(home);
    const fleet = (await official(files, home, signal)) ?? (await scripted(files));
    return {
      options: { ...fleet.options, home, discover: false },
      mode: "allow-reads",
      samples: samples(files).filter(({ server }) => fleet.ids.includes(server)),
      close: async () => {
        await fleet.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface DemoFleet {
  readonly options: SupervisorOptions;
  readonly ids: readonly string[];
  close(): Promise<void>;
}

async function official(files: string, home: string, signal: AbortSignal): Promise<DemoFleet | undefined> {
  const [everything, filesystem, memory] = ["everything", "filesystem", "memory"].map((name) =>
    entryOf(`@modelcontextprotocol/server-${name}`),
  );
  if (everything === undefined || filesystem === undefined || memory === undefined) return undefined;
  const http = await startHttpServer(everything, ["streamableHttp"], signal);
  const servers = complete(
    [
      stdio("files", "Files", filesystem, [files]),
      stdio("memory", "Memory", memory, []),
      stdio("everything", "Everything (stdio)", everything, ["stdio"]),
    ],
    home,
    http.url,
  );
  return { options: { servers }, ids: servers.map(({ id }) => id), close: () => http.close() };
}

async function scripted(files: string): Promise<DemoFleet> {
  const fakes = await scriptedServers(files);
  const { servers, transports } = fleetOf(...fakes);
  return {
    options: {
      servers: servers.map((server) => ({ ...server, auto_approve: approved[server.id] ?? ["echo"] })),
      transports,
    },
    ids: fakes.map(({ id }) => id),
    close: async () => void (await Promise.all(fakes.map((each) => each.close()))),
  };
}

/** What a user would write too: reads run by themselves, and these tools are approved by name. */
const approved: Readonly<Record<string, string[]>> = {
  files: ["list_directory", "read_text_file"],
  memory: ["read_graph"],
  everything: ["echo"],
};

function stdio(id: string, name: string, entry: string, args: readonly string[]): ServerConfig {
  return { id, name, command: process.execPath, args: [entry, ...args] };
}

function complete(servers: readonly ServerConfig[], home: string, url: string): ServerConfig[] {
  return [
    ...servers.map((server) => ({
      ...server,
      auto_approve: approved[server.id] ?? [],
      ...(server.id === "memory" ? { env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") } } : {}),
    })),
    { id: "everything-http", name: "Everything (HTTP)", transport: "http", url, auto_approve: ["echo"] },
  ];
}

function samples(folder: string): Sample[] {
  return [
    { server: "files", tool: "list_directory", arguments: { path: folder } },
    { server: "files", tool: "read_text_file", arguments: { path: join(folder, "welcome.txt") } },
    { server: "memory", tool: "read_graph", arguments: {} },
    { server: "everything", tool: "echo", arguments: { message: "hello over stdio" } },
    { server: "everything-http", tool: "echo", arguments: { message: "hello over HTTP" } },
  ];
}
