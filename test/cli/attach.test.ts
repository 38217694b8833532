import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { selfCommand } from "../../src/cli/context/selfCommand.js";
import { fixture, openSandbox, serversFile } from "./support/binary.js";

let sandbox: ReturnType<typeof openSandbox>;
/** Of the person whose hosts are written to. */
let user: string;

beforeEach(() => {
  sandbox = openSandbox();
  user = join(sandbox.folder, "user");
  mkdirSync(user);
  mkdirSync(sandbox.home, { mode: 0o700 });
  sandbox.file("home/mcp.json", serversFile({ one: [fixture("tellsEnvironment.mjs")] }));
});

afterEach(() => sandbox.close());

const run = (...args: string[]) => sandbox.run(args, "", { HOME: user, XDG_CONFIG_HOME: "" });

describe("mcpvisor attach", () => {
  it("over stdio: the host starts what was written, and has the tools of the fleet", async () => {
    const done = await run("attach", "cursor");

    expect(done).toMatchObject({ code: 0, stdout: "" });
    const file = join(user, ".cursor/mcp.json");
    expect(done.stderr).toContain(file);
    expect(done.stderr).toContain("undo with: mcpvisor attach cursor --undo");
    const { command, args } = entryIn(file) as { command: string; args: string[] };
    const client = new Client({ name: "cursor", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command, args, cwd: sandbox.folder, stderr: "ignore" }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("one__env");

    expect(await run("attach", "cursor", "--undo")).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
  });

  it("over HTTP: a consumer with a token of its own, which the undo revokes", async () => {
    expect(await run("attach", "gemini", "--http")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("start one with `mcpvisor up --http`"),
    });
    const service = sandbox.start(["up", "--http", "--port", "0"]);
    await seen(
      () => /http:\/\/127\.0\.0\.1:\d+/.test(service.out.stderr + service.out.stdout),
      service.ended,
    );

    const done = await run("attach", "gemini", "--http", "--json");
    const { httpUrl, headers } = entryIn(join(user, ".gemini/settings.json")) as {
      httpUrl: string;
      headers: Record<string, string>;
    };
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).not.toContain(headers["Authorization"]!.slice("Bearer ".length));
    const connect = async () => {
      const client = new Client({ name: "gemini", version: "1" });
      const transport = new StreamableHTTPClientTransport(new URL(httpUrl), { requestInit: { headers } });
      await client.connect(transport);
      return client;
    };
    const client = await connect();
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain("one__env");
    expect((await run("consumers", "--json")).stdout).toContain('"gemini"');

    expect(await run("attach", "gemini", "--undo")).toMatchObject({ code: 0 });
    await expect(connect()).rejects.toThrow(/401|token|Unauthorized/i);
  });

  it.each([
    [["attach", "emacs"], "is none of claude-code"],
    [["attach", "cursor", "--http", "--stdio"], "exclude each other"],
    [["attach", "cursor", "--http", "--project"], "does not belong into a file of a project"],
    [["attach", "windsurf", "--project"], "has no file of a project"],
    [["attach", "zed", "--undo"], "nothing was changed"],
  ])("%j is refused", async (args, said) => {
    const done = await run(...args);

    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain(said);
  });

  it("says what it would write, and where", async () => {
    const done = await run("attach", "codex", "--server", "one", "--dry-run", "--json");

    expect(JSON.parse(done.stdout)).toMatchObject({
      host: "codex",
      entry: "mcpvisor-one",
      way: "stdio",
      consumer: "codex",
      changed: true,
      dryRun: true,
    });
    expect(existsSync(dirname(join(user, ".codex/config.toml")))).toBe(false);
  });
});

it("names itself by whole paths, or by npx where npx has fetched it", () => {
  expect(selfCommand("/bin/node", "/lib/mcpvisor/dist/cli/main.js", "1.2.3")).toEqual({
    command: "/bin/node",
    args: ["/lib/mcpvisor/dist/cli/main.js"],
  });
  expect(selfCommand("/bin/node", "/home/a/.npm/_npx/0a1/node_modules/.bin/mcpvisor", "1.2.3")).toEqual({
    command: "npx",
    args: ["-y", "mcpvisor@1.2.3"],
  });
});

function entryIn(file: string): unknown {
  return (JSON.parse(readFileSync(file, "utf8")) as { mcpServers: Record<string, unknown> }).mcpServers[
    "mcpvisor"
  ];
}

async function seen(condition: () => boolean, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!condition()) {
    if (isOver) throw new Error("the service ended");
    await new Promise((tick) => setTimeout(tick, 20));
  }
}
