import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importFile } from "../../src/cli/commands/import.js";
import { fakeContext } from "./support/fakeContext.js";
import { fakeSupervisor } from "./support/fakeSupervisor.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mcpvisor-test-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const codex = `
[mcp_servers.files]
command = "node"
args = ["files.js"]
tool_timeout_sec = 30
default_tools_approval_mode = "approve"
[mcp_servers.files.env]
TOKEN = "canary-1"

[mcp_servers.tube]
socket = "/run/x"
`;

const claude = JSON.stringify({
  mcpServers: { "My Files": { command: "node", args: ["a.js"], autoApprove: ["write"] } },
});

describe("taking over another program's file", () => {
  it("writes what can be carried over, tells what cannot, and shows no value", async () => {
    const { context, stdout, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await importFile(context, { home }, await given("config.toml", codex))).toBe(1);

    expect(await stored("settings.json")).toEqual({
      mcp: {
        servers: [
          {
            id: "files",
            name: "files",
            command: "node",
            args: ["files.js"],
            timeout: "30s",
            env: { TOKEN: "canary-1" },
          },
        ],
      },
    });
    expect(stdout.text).toContain("files: taken over\n");
    expect(stdout.text).toContain('"TOKEN":"********"');
    expect(stdout.text).toContain("default_tools_approval_mode: approvals are not carried over");
    expect(stdout.text).toContain("tube: NOT taken over\n  has neither a command nor a url");
    expect(stderr.text).toContain("1 of 2 servers of a codex file into ");
    expect(stdout.text + stderr.text).not.toContain("canary-1");
  });

  it("writes nothing in a dry run, not even a folder", async () => {
    const { context, stdout } = fakeContext(fakeSupervisor({}).supervisor);
    const state = join(home, "state");

    const code = await importFile(
      context,
      { home: state, dryRun: true, json: true },
      await given("a.json", claude),
    );

    expect(code).toBe(0);
    expect(JSON.parse(stdout.text)).toMatchObject({
      ok: true,
      host: "claude",
      file: join(state, "settings.json"),
      dryRun: true,
      servers: [{ name: "My Files", outcome: "valid", entry: { command: "node", args: ["a.js"] } }],
    });
    expect(existsSync(state)).toBe(false);
  });

  it("carries no approval over, and keeps a free name in an mcpServers file", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await importFile(context, { home, to: "user" }, await given("a.json", claude))).toBe(0);

    expect(await stored("mcp.json")).toEqual({
      mcpServers: { "My Files": { command: "node", args: ["a.js"] } },
    });
  });

  it("leaves a server alone that is there already", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);
    const file = await given("a.json", JSON.stringify({ mcpServers: { files: { command: "node" } } }));
    const other = await given("b.json", JSON.stringify({ mcpServers: { files: { command: "python" } } }));
    await importFile(context, { home }, file);
    const again = fakeContext(fakeSupervisor({}).supervisor);

    expect(await importFile(again.context, { home }, other)).toBe(1);

    expect(again.stdout.text).toContain("`mcpvisor remove files` makes room");
    expect(await stored("settings.json")).toMatchObject({ mcp: { servers: [{ command: "node" }] } });
  });

  it("tells why an entry that would not be valid is not written, and writes the others", async () => {
    const { context, stdout } = fakeContext(fakeSupervisor({}).supervisor);
    const servers = { bad: { command: "node", cwd: 7 }, good: { command: "node" } };

    expect(
      await importFile(context, { home }, await given("a.json", JSON.stringify({ mcpServers: servers }))),
    ).toBe(1);

    expect(stdout.text).toContain('the server "bad" cannot be saved');
    expect(await stored("settings.json")).toMatchObject({ mcp: { servers: [{ id: "good" }] } });
  });

  it("refuses words it does not know and files that are not there", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);
    const file = await given("a.json", claude);

    await expect(importFile(context, { home, host: "emacs" }, file)).rejects.toThrow(
      /--host "emacs" is not known; choose one of claude, vscode/,
    );
    await expect(importFile(context, { home, to: "project" }, file)).rejects.toThrow(
      /choose settings or user/,
    );
    await expect(importFile(context, { home }, join(home, "nothing"))).rejects.toThrow(
      /cannot be read \(ENOENT\)/,
    );
  });
});

async function given(name: string, text: string): Promise<string> {
  const file = join(home, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

async function stored(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(home, name), "utf8"));
}
