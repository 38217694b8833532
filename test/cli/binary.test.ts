import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixture, openSandbox, serversFile } from "./support/binary.js";
import { until } from "./support/fakeContext.js";

const scripted = fixture("scripted.mjs");
const readOnly = '--annotations={"readOnlyHint":true}';
/** Anything but printable text and line feeds. */
const controls = /[^\P{Cc}\n]/u;

let sandbox: ReturnType<typeof openSandbox>;

beforeEach(() => {
  sandbox = openSandbox();
});

afterEach(() => sandbox.close());

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
}

describe("the mcpvisor command", () => {
  it("prints help and version without starting anything", async () => {
    const help = await sandbox.run(["--help"]);
    const version = await sandbox.run(["--version"]);

    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("up [options]");
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(existsSync(join(sandbox.folder, "home"))).toBe(false);
  });

  it.each([
    [["servrs"], /unknown command 'servrs'[\s\S]*Did you mean servers\?/],
    [["servers", "--mod", "ask"], /unknown option '--mod'/],
    [["servers", "--mode", "all"], /Allowed choices are ask, allow-reads, allow-all, allow-trusted/],
    [["call"], /missing required argument 'name'/],
    [["call", "mcp_a_b", "{oops"], /the arguments are not JSON/],
    [["events", "--for", "soon"], /--for "soon" is not a duration/],
    [["restart", "files"], /no service runs for the state folder/],
    [[], /Usage: mcpvisor/],
  ])("ends with 2 and says what is wrong: %j", async (args, message) => {
    const { code, stdout, stderr } = await sandbox.run(args);

    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("calls a tool with arguments from the command line and from stdin", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted, readOnly] }));
    const common = ["--config", config, "--mode", "allow-reads"];

    const plain = await sandbox.run(["call", "mcp_one_echo", '{"text": "from the line"}', ...common]);
    const piped = await sandbox.run(
      ["call", "mcp_one_echo", "-", "--json", ...common],
      '{"text": "from stdin"}',
    );

    expect(plain).toEqual({ code: 0, stdout: "from the line\n", stderr: "" });
    expect(piped.code).toBe(0);
    expect(JSON.parse(piped.stdout)).toMatchObject({
      ok: true,
      text: "from stdin",
      call: { server: "one", tool: "echo", name: "mcp_one_echo", sent: "yes" },
    });
  });

  it("ends with 1 and one ToolResult when the call fails", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted, readOnly] }));
    const common = ["--config", config, "--mode", "allow-reads", "--json"];

    const died = await sandbox.run(["call", "mcp_one_exit", '{"code": 7}', ...common]);
    const unknown = await sandbox.run(["call", "mcp_one_ecko", ...common]);

    expect(died.code).toBe(1);
    expect(JSON.parse(died.stdout)).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(unknown.code).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ ok: false, failure: { kind: "unknown-tool" } });
  });

  it("denies without a terminal what would have to be asked, and says how to allow it", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted] }));

    const { code, stdout, stderr } = await sandbox.run(["call", "mcp_one_echo", "{}", "--config", config]);

    expect(code).toBe(1);
    expect(stdout).toBe(stdout.replace(controls, ""));
    expect(stderr).toContain('denied: tool "echo" of server "one" needs an approval');
    expect(stderr).toContain('list the tool in "auto_approve"');
  });

  it("lists servers and tools of a file with one bad entry, tells its place, and ends with 2", async () => {
    const config = sandbox.file(
      "mcp.json",
      `{
  "mcpServers": {
    "good": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(scripted)}, "--tools=echo"] },
    "bad": { "command": 7 }
  }
}`,
    );

    const listed = await sandbox.run(["servers", "--json", "--config", config]);
    const offered = await sandbox.run(["tools", "--json", "--config", config]);

    const servers = (JSON.parse(listed.stdout) as { servers: { id: string; state: string }[] }).servers;
    expect(servers.find((each) => each.id === "good")).toMatchObject({ state: "ready", toolCount: 1 });
    expect(listed.stderr).toContain(
      `${config}:4:14: error: mcpServers.bad.command must be a text, not a number`,
    );
    expect(listed.code).toBe(2);
    expect(JSON.parse(offered.stdout)).toMatchObject({ tools: [{ name: "mcp_good_echo" }] });
    expect(offered.code).toBe(2);
  });

  it("names the place of broken JSON", async () => {
    const config = sandbox.file("mcp.json", '{\n  "mcpServers": {\n    "a": }\n}');

    const { code, stderr } = await sandbox.run(["servers", "--config", config]);

    expect(stderr).toContain(`${config}:3:`);
    expect(code).toBe(2);
  });

  it("up --once --json prints one report and leaves nothing behind", async () => {
    const config = sandbox.file(
      "mcp.json",
      serversFile({ one: [scripted, "--tools=pid", readOnly], two: [scripted, "--tools=echo"] }),
    );

    const ended = await sandbox.run(["up", "--once", "--json", "--config", config, "--mode", "allow-reads"]);

    const report = JSON.parse(ended.stdout) as { servers: { pids: number[] }[] };
    expect(report).toMatchObject({
      ok: true,
      servers: [{ id: "one" }, { id: "two" }],
      calls: [{ server: "one", tool: "pid", result: { ok: true } }, { server: "two" }],
      stop: { ended: 2, survivors: [] },
    });
    expect(ended.code).toBe(0);
    expect(report.servers.flatMap((each) => each.pids).filter(isAlive)).toEqual([]);
  });

  it("up writes plain lines without a terminal, and ends with 0 and a report on SIGTERM", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted] }));

    const { child, out, ended } = sandbox.start(["up", "--config", config]);
    await until(() => out.stderr.includes("ready: 1 of 1 server"), "the fleet");
    child.kill("SIGTERM");

    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/one: listing -> ready \(generation 1\)/);
    expect(stdout).toMatch(/stopped: 1 ended, nothing is left, took .*\n$/);
    expect(stdout + stderr).not.toMatch(controls);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s while a server still connects leaves no process",
    async (signal) => {
      const log = join(sandbox.folder, "pids");
      const config = sandbox.file(
        "mcp.json",
        serversFile({ mute: [fixture("neverInitializes.mjs"), `--log=${log}`] }),
      );

      const { child, ended } = sandbox.start(["servers", "--config", config]);
      await until(() => existsSync(log), "the server");
      child.kill(signal);

      expect((await ended).code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
      const pids = readFileSync(log, "utf8").trim().split("\n").map(Number);
      expect(pids).toHaveLength(1);
      expect(pids.filter(isAlive)).toEqual([]);
    },
  );

  it("events --for prints facts as NDJSON and ends by itself", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted] }));

    const { code, stdout } = await sandbox.run(["events", "--json", "--for", "3s", "--config", config]);

    const facts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
    expect(facts.map((fact) => fact.type)).toContain("mcp.state");
    expect(code).toBe(0);
  });

  it("ends quietly when nobody reads any more", async () => {
    const config = sandbox.file("mcp.json", serversFile({ one: [scripted] }));

    const { child, ended } = sandbox.start(["events", "--json", "--config", config]);
    child.stdout.once("data", () => child.stdout.destroy());

    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("writes completion scripts that name every command", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await sandbox.run(["completion", shell]);

      expect(code).toBe(0);
      for (const command of ["up", "servers", "call", "check", "approve"]) expect(stdout).toContain(command);
    }
  });
});
