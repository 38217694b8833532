import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../src/index.js";
import { eventually, nextFact, running, servers, supervise, temporaryFolder } from "../support.js";

const script = join(servers, "scripted.mjs");
const entry = (...args: string[]) => ({ command: process.execPath, args: [script, ...args] });

function writeConfig(file: string, mcpServers: object): void {
  writeFileSync(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
}

describe("configuration files of a running fleet", () => {
  it("apply a difference: unchanged servers keep their process, a broken file leaves the last good config in place", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "servers.json");
    writeConfig(file, { keep: entry(), change: entry(), gone: entry() });
    const supervisor = await running([], { configFiles: [file], home: folder });
    const pids = (id: string) => supervisor.server(id)?.status().pids[0];
    const kept = pids("keep");

    const applied = nextFact(supervisor, "mcp.config");
    writeConfig(file, { keep: entry(), change: entry("--tag=new:"), fresh: entry() });
    expect(await applied).toMatchObject({
      added: ["fresh"],
      removed: ["gone"],
      changed: ["change"],
      errors: [],
    });
    await eventually(() => supervisor.server("fresh")?.status().state === "ready", "fresh is ready");
    await eventually(
      () =>
        supervisor.server("change")?.status().generation === 2 &&
        supervisor.server("change")?.status().state === "ready",
      "change is renewed",
    );
    await eventually(() => supervisor.server("gone") === undefined, "gone is retired");
    expect(pids("keep")).toBe(kept);
    expect(await supervisor.callTool("mcp_change_echo", { text: "x" })).toMatchObject({
      ok: true,
      text: "new:x",
    });

    const broken = nextFact(supervisor, "mcp.config");
    writeFileSync(file, '{"mcpServers": {"keep": ', { mode: 0o600 });
    expect((await broken).errors[0]).toContain("servers.json:1");
    expect(pids("keep")).toBe(kept);
    expect(supervisor.servers()).toHaveLength(3);
  });

  it("hold back the entries of a project file until a person has approved them, and ask again after a change", async () => {
    const workspace = temporaryFolder();
    const home = temporaryFolder();
    const log = join(workspace, "starts.log");
    writeConfig(join(workspace, ".mcp.json"), { helper: entry(`--log=${log}`) });
    const asked: ApprovalRequest[] = [];
    const supervisor = supervise([], {
      discover: true,
      workspace,
      home,
      approve: (request) => {
        asked.push(request);
        return asked.length === 1 ? "deny" : "allow";
      },
    });
    await supervisor.start();
    await eventually(() => asked.length === 1, "it was asked");
    expect(asked[0]).toMatchObject({ kind: "server", server: "helper" });
    expect(supervisor.server("helper")!.status().state).not.toBe("ready");
    expect(existsSync(log)).toBe(false);

    writeConfig(join(workspace, ".mcp.json"), { helper: entry(`--log=${log}`, "--tag=v2:") });
    await eventually(
      () => supervisor.server("helper")?.status().state === "ready",
      "the approved entry is ready",
    );

    expect(asked).toHaveLength(2);
    expect(readFileSync(log, "utf8").match(/^start/gm)).toHaveLength(1);
    expect(await supervisor.callTool("mcp_helper_echo", { text: "x" }, { timeout: "20s" })).toMatchObject({
      ok: true,
    });
    expect(asked[2]).toMatchObject({ kind: "call", tool: "echo" });
  });

  it("asks for dangerous variables of a project entry by name, drops them otherwise, and asks again when one changes", async () => {
    const workspace = temporaryFolder();
    const write = (options: string) =>
      writeConfig(join(workspace, ".mcp.json"), {
        helper: { ...entry(), env: { NODE_OPTIONS: options, MODE: "plain" } },
      });
    const answers = ["allow", "deny", "allow", "allow"] as const;
    const asked: ApprovalRequest[] = [];
    const supervisor = supervise([], {
      discover: true,
      workspace,
      home: temporaryFolder(),
      mode: "allow-trusted",
      approve: (request) => (request.kind === "call" ? "allow" : answers[asked.push(request) - 1]!),
    });
    const readyIn = (generation: number) =>
      eventually(() => {
        const status = supervisor.server("helper")?.status();
        return status?.state === "ready" && status.generation === generation;
      }, `generation ${generation} is ready`);
    const variable = async (name: string) => (await supervisor.callTool("mcp_helper_env", { name })).text;
    write("--no-warnings");
    await supervisor.start();
    await readyIn(1);

    expect(asked.map((each) => each.arguments)).toEqual([
      { command: expect.stringContaining("dropped unless approved by name: NODE_OPTIONS") },
      { env: { NODE_OPTIONS: "--no-warnings" } },
    ]);
    expect([await variable("NODE_OPTIONS"), await variable("MODE")]).toEqual(["(not set)", "plain"]);

    write("--no-deprecation");
    await readyIn(2);

    expect(asked[2]?.difference).toEqual([
      {
        field: "env",
        before: expect.stringMatching(/^MODE \(.*\) NODE_OPTIONS \(sha256 [0-9a-f]{12}\)$/),
        after: expect.stringMatching(/^MODE \(.*\) NODE_OPTIONS \(sha256 [0-9a-f]{12}\)$/),
      },
    ]);
    expect(asked[3]?.arguments).toEqual({ env: { NODE_OPTIONS: "--no-deprecation" } });
    expect(await variable("NODE_OPTIONS")).toBe("--no-deprecation");
  });

  it("save and remove servers in the settings file, masked values kept", async () => {
    const home = temporaryFolder();
    const settings = join(home, "settings.json");
    writeFileSync(
      settings,
      `// my servers\n{"mcp": {"servers": [{"id": "one", "transport": "stdio", "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(script)}], "env": {"KEY": "sesame-open"}}]}}`,
      { mode: 0o600 },
    );
    const supervisor = await running([], { discover: true, home });
    expect(JSON.stringify(supervisor.servers())).not.toContain("sesame-open");

    await supervisor.saveServer({
      id: "one",
      transport: "stdio",
      ...entry("--tag=t:"),
      env: { KEY: "********" },
    });
    await eventually(
      () =>
        supervisor.server("one")?.status().generation === 2 &&
        supervisor.server("one")?.status().state === "ready",
      "one is renewed",
    );

    expect(await supervisor.callTool("mcp_one_env", { name: "KEY" })).toMatchObject({
      ok: true,
      text: "sesame-open",
    });
    expect(readFileSync(settings, "utf8")).toContain("// my servers");
    expect(await supervisor.removeServer("one")).toBe(true);
    expect(readFileSync(settings, "utf8")).not.toContain("sesame-open");
  });
});
