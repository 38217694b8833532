import { existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PermissionMode, ServerConfig, SupervisorOptions } from "../../index.js";
import { UsageError } from "../context/exitCodes.js";
import type { Sample } from "../fleet/sampleCalls.js";
import { entryOf } from "./packages.js";
import { startHttpServer } from "./httpServer.js";

/** The embedded fleet: four lives of three official servers, with a call to try on each. */
export interface Demo {
  readonly options: SupervisorOptions;
  readonly mode: PermissionMode;
  readonly samples: readonly Sample[];
  /** Ends the HTTP server and removes what the demo wrote. */
  close(): Promise<void>;
}

const files = fileURLToPath(new URL("../../../examples/files", import.meta.url));

/** Starts what the fleet needs beside it: a folder of its own and the server that is reached over HTTP. */
export async function openDemo(signal: AbortSignal): Promise<Demo> {
  if (!existsSync(files))
    throw new UsageError(`the demo needs the folder ${files}; run it from a clone of the repository`);
  const everything = entryOf("@modelcontextprotocol/server-everything");
  const servers = [
    stdio("files", "Files", entryOf("@modelcontextprotocol/server-filesystem"), [files]),
    stdio("memory", "Memory", entryOf("@modelcontextprotocol/server-memory"), []),
    stdio("everything", "Everything (stdio)", everything, ["stdio"]),
  ];
  const home = await mkdtemp(join(tmpdir(), "mcpvisor-demo-"));
  const options = { recursive: true, force: true, maxRetries: 3 };
  const remove = () => rm(home, options);
  // A second Ctrl-C ends the process without a further await.
  process.once("exit", () => rmSync(home, options));
  try {
    const http = await startHttpServer(everything, ["streamableHttp"], signal);
    return {
      options: { servers: complete(servers, home, http.url), home, discover: false },
      mode: "allow-reads",
      samples: samples(files),
      close: async () => {
        await http.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function stdio(id: string, name: string, entry: string, args: readonly string[]): ServerConfig {
  return { id, name, command: process.execPath, args: [entry, ...args] };
}

/** What a user would write too: reads run by themselves, and these tools are approved by name. */
function complete(servers: readonly ServerConfig[], home: string, url: string): ServerConfig[] {
  const approved: Record<string, string[]> = {
    files: ["list_directory", "read_text_file"],
    memory: ["read_graph"],
    everything: ["echo"],
  };
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
