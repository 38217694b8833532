import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadFleet } from "../../src/config/fleet.js";
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

  it.each([
    ["a file that was named", (folder: string) => ({ configFiles: [join(folder, "mcp.json")] })],
    ["a file that was found", () => ({ discover: true })],
  ])(
    "leave its servers running when it vanishes, and take over the difference when it is back: %s",
    async (_, options) => {
      const folder = temporaryFolder();
      const file = join(folder, "mcp.json");
      writeConfig(file, { keep: entry(), change: entry() });
      const supervisor = await running([], { ...options(folder), home: folder });
      const pid = supervisor.server("keep")?.status().pids[0];

      const vanished = nextFact(supervisor, "mcp.config");
      rmSync(file);
      expect(await vanished).toMatchObject({
        added: [],
        removed: [],
        changed: [],
        errors: [expect.stringContaining("the file is gone; its servers go on as they were")],
      });
      expect(supervisor.problems()).toMatchObject([{ severity: "error", file, hint: expect.any(String) }]);
      expect(await supervisor.callTool("mcp_keep_echo", { text: "x" })).toMatchObject({ ok: true });

      const back = nextFact(supervisor, "mcp.config");
      writeConfig(file, { keep: entry(), change: entry("--tag=new:") });
      expect(await back).toMatchObject({ added: [], removed: [], changed: ["change"], errors: [] });
      expect(supervisor.server("keep")?.status()).toMatchObject({ pids: [pid], generation: 1 });
      expect(supervisor.problems()).toEqual([]);

      const emptied = nextFact(supervisor, "mcp.config");
      writeConfig(file, {});
      expect(await emptied).toMatchObject({ removed: ["keep", "change"], errors: [] });
    },
  );

  it("are one error while they are half-written, and a link that leads nowhere is refused, not taken for no file", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "mcp.json");
    const whole = JSON.stringify({ mcpServers: { keep: entry(), other: entry() } }, undefined, 2);
    writeFileSync(file, whole, { mode: 0o600 });
    const supervisor = await running([], { configFiles: [file], home: folder, watch: false });
    const reread = () => supervisor.saveServer({ id: "new", command: "x", lazy: true }).then(String, String);
    for (let length = 0; length < whole.length - 1; length += 7) {
      writeFileSync(file, whole.slice(0, length), { mode: 0o600 });
      expect(await reread()).toMatch(/mcp\.json cannot be changed as long as it is broken/);
      const { problems } = await loadFleet({ home: folder, configFiles: [file] });
      expect(problems).toHaveLength(1);
    }
    rmSync(file);
    symlinkSync(join(folder, "nowhere.json"), file);
    expect(await reread()).toMatch(/is a link to .*nowhere\.json, which does not exist/);
    expect(existsSync(join(folder, "nowhere.json"))).toBe(false);
    expect(supervisor.server("keep")?.status()).toMatchObject({ state: "ready", generation: 1 });
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
