import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { eventually, nextFact, running, temporaryFolder } from "../support.js";
import { afterTest, rigOver } from "./rig.js";
import type { Json, Rig } from "./rig.js";

const require = createRequire(import.meta.url);
const patient = { timeout: 120_000 };

function binary(name: string): string {
  const file = require.resolve(`@modelcontextprotocol/${name}/package.json`);
  const { bin } = require(file) as { bin: Record<string, string> };
  return join(dirname(file), Object.values(bin)[0] ?? "");
}

/** An official server as a process. */
function server(id: string, name: string, args: string[], env: Record<string, string> = {}) {
  return {
    id,
    command: process.execPath,
    args: [binary(name), ...args],
    env,
    trusted: true,
    restart: "eager" as const,
  };
}

/** The gateway before the official servers everything, filesystem and memory. */
async function official(): Promise<{ gate: Rig; folder: string }> {
  const home = temporaryFolder();
  const folder = join(home, "files");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "the text of a");
  const supervisor = await running(
    [
      server("everything", "server-everything", ["stdio"]),
      server("files", "server-filesystem", [folder]),
      server("memory", "server-memory", [], { MEMORY_FILE_PATH: join(home, "memory.json") }),
    ],
    { home, consumers: true },
  );
  return { gate: await rigOver(supervisor), folder };
}

async function modernClient(gate: Rig, token: string): Promise<ModernClient> {
  const client = new ModernClient({ name: "second-sdk", version: "2" });
  await client.connect(
    new ModernTransport(new URL(`${gate.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  afterTest(() => client.close());
  return client;
}

const textOf = (result: unknown): string => String((result as Json)["content"][0].text);

describe("official clients before official servers", () => {
  it("serves clients of both SDKs with what each may see", patient, async () => {
    const { gate, folder } = await official();
    const one = await gate.client(gate.consumer("one", { servers: ["files"], expose: "all" }));
    const two = await modernClient(gate, gate.consumer("two", { servers: ["everything"], expose: "all" }));
    const three = await modernClient(gate, gate.consumer("three", { servers: ["memory"], expose: "all" }));

    const path = join(folder, "a.txt");
    expect(textOf(await one.callTool({ name: "files__read_text_file", arguments: { path } }))).toBe(
      "the text of a",
    );
    expect(textOf(await two.callTool({ name: "everything__echo", arguments: { message: "hi" } }))).toContain(
      "hi",
    );
    const names = (await three.listTools()).tools.map((each) => each.name);
    expect(names).toContain("memory__read_graph");
    expect(names.filter((name) => !name.startsWith("memory__"))).toEqual([]);
    expect(textOf(await three.callTool({ name: "memory__read_graph", arguments: {} }))).toContain("entities");

    expect((await one.listTools()).tools.every((each) => each.name.startsWith("files__"))).toBe(true);
    expect((await two.listPrompts()).prompts.length).toBeGreaterThan(0);
    const { resources } = await two.listResources();
    const read = await two.readResource({ uri: String(resources[0]?.uri) });
    expect(read.contents).toHaveLength(1);
  });

  it("goes on for three at once while their servers crash under them", patient, async () => {
    const { gate, folder } = await official();
    const path = join(folder, "a.txt");
    const one = await gate.client(gate.consumer("one", { servers: ["files"], expose: "all" }));
    const two = await modernClient(gate, gate.consumer("two", { servers: ["everything"], expose: "all" }));
    const three = await gate.client(gate.consumer("three", { servers: ["memory"], expose: "all" }));
    const work = {
      files: async () => textOf(await one.callTool({ name: "files__read_text_file", arguments: { path } })),
      everything: async () =>
        textOf(await two.callTool({ name: "everything__echo", arguments: { message: "the text of b" } })),
      memory: async () => textOf(await three.callTool({ name: "memory__read_graph", arguments: {} })),
    };
    const right = { files: /^the text of a$/, everything: /the text of b/, memory: /entities/ };
    const outcome = /unknown|was not|not be|unavailable|lost|ended|killed/i;
    const odd: string[] = [];
    let done = 0;
    const stop = new AbortController();
    const workers = Object.entries(work).map(async ([id, call]) => {
      while (!stop.signal.aborted) {
        const text = await call();
        done++;
        if (!right[id as keyof typeof right].test(text) && !outcome.test(text)) odd.push(`${id}: ${text}`);
      }
    });
    for (const id of ["files", "everything", "memory", "files"]) {
      const before = done;
      await eventually(() => done > before + 20, "calls go on");
      const back = nextFact(gate.supervisor, "mcp.connected", (fact) => fact.id === id);
      process.kill(gate.supervisor.server(id)?.status().pids[0] ?? 0, "SIGKILL");
      await back;
    }
    stop.abort();
    await Promise.all(workers);

    expect(odd).toEqual([]);
    for (const [id, call] of Object.entries(work))
      expect(await call()).toMatch(right[id as keyof typeof right]);
    await eventually(() => gate.gateway.figures().answers <= 3, "only streams are open");
  });
});
