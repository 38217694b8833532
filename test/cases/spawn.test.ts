import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { windowsCommandLine } from "../../src/process/commandLine.js";
import { readArguments, readByCmd } from "../process/cmdModel.js";
import { running, scripted, servers, supervise, temporaryFolder } from "../support.js";

const waitsForNobody = { timeout: "30s" };

describe("starting a server's process", () => {
  it.each([
    ["does not exist", "absent"],
    ["is not a directory", "file"],
  ])("C024 names the working directory that %s, and does not try again", async (why, name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const cwd = join(folder, name);
    const supervisor = await running([
      scripted("lost", "tellsEnvironment.mjs", [], { cwd, restart: "eager" }),
      scripted("other", "tellsEnvironment.mjs"),
    ]);

    const status = supervisor.server("lost")!.status();

    expect(status).toMatchObject({ state: "parked", generation: 1, pids: [] });
    expect(status.nextAttemptAt).toBeUndefined();
    expect(status.lastError).toMatchObject({
      kind: "cwd-missing",
      message: `server "lost": working directory "${cwd}" ${why}; correct cwd or create it`,
    });
    expect(supervisor.server("other")!.status().state).toBe("ready");
  });

  it("C024 starts it once the directory is there and somebody asks", async () => {
    const folder = temporaryFolder();
    const cwd = join(folder, "later");
    const supervisor = await running([scripted("lost", "tellsEnvironment.mjs", [], { cwd })]);
    const { mkdirSync, realpathSync } = await import("node:fs");
    mkdirSync(cwd);

    expect((await supervisor.server("lost")!.connect()).state).toBe("ready");
    const { text } = await supervisor.callTool("mcp_lost_env");
    expect(JSON.parse(text)).toMatchObject({ cwd: realpathSync(cwd) });
  });

  it("C026 adds the env block to the environment, and lets it win", async () => {
    const supervisor = await running([
      scripted("adds", "tellsEnvironment.mjs", ["a b", ""], { env: { FOO: "bar" } }),
      scripted("wins", "tellsEnvironment.mjs", [], { env: { PATH: "/x", EMPTY: "" } }),
    ]);
    const env = async (id: string, ...show: string[]): Promise<unknown> =>
      JSON.parse((await supervisor.callTool(`mcp_${id}_env`, { show })).text);

    expect(await env("adds", "FOO", "PATH", "HOME")).toMatchObject({
      values: ["bar", process.env["PATH"], process.env["HOME"]],
      args: ["a b", ""],
    });
    expect(await env("wins", "PATH", "EMPTY")).toMatchObject({ values: ["/x", ""] });
  });

  it.each([
    [
      "missing",
      { command: "no-such-program-here" },
      "command-not-found",
      'command "no-such-program-here" was not found',
    ],
    [
      "not executable",
      { command: join(servers, "stdioServer.mjs") },
      "command-not-executable",
      "may not be executed",
    ],
    ["a directory", { command: servers }, "command-not-executable", "may not be executed"],
  ])("parks a server whose command is %s at the first try", async (_what, target, kind, message) => {
    const supervisor = supervise([
      { id: "bad", restart: "eager", ...target },
      scripted("good", "tellsEnvironment.mjs"),
    ]);

    const report = await supervisor.ready(waitsForNobody);

    expect(report).toMatchObject({ ok: false, timedOut: false });
    const status = supervisor.server("bad")!.status();
    expect(status).toMatchObject({ state: "parked", generation: 1, lastError: { kind } });
    expect(status.lastError!.message).toContain('server "bad"');
    expect(status.lastError!.message).toContain(message);
    expect(supervisor.server("good")!.status().state).toBe("ready");
  });
});

describe("the command line on Windows", () => {
  const files: Record<string, string> = {
    npx: "C:\\Program Files\\nodejs\\npx.cmd",
    "npx.cmd": "C:\\Program Files\\nodejs\\npx.cmd",
    odd: "C:\\Tools (x86)\\my tool.bat",
    uvx: "C:\\Tools\\uvx.exe",
    node: "C:\\Program Files\\nodejs\\node.exe",
  };
  const lookup = (command: string): string | undefined => files[command];
  const hard =
    'a b,,100%PATH%,a&calc,x|y,<in>,say "hi",trailing\\,^caret^,(group),!bang!,C:\\a dir\\,ünï,--x=a b'.split(
      ",",
    );

  it.each(["npx", "npx.cmd", "odd"])(
    "C028 hands %s to cmd.exe so that every argument arrives unchanged",
    (command) => {
      const line = windowsCommandLine("w", command, hard, lookup);
      if ("kind" in line) throw new Error(line.message);
      expect(line).toMatchObject({ command: "cmd.exe", verbatim: true });
      expect(line.args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
      const { file, rest } = readByCmd(line.args[3]!.slice(1, -1));
      expect(file).toBe(files[command]);
      expect(readArguments(readByCmd(`x ${rest}`).rest)).toEqual(hard);
    },
  );

  it.each(["uvx", "node"])("C028 starts %s directly", (command) => {
    expect(windowsCommandLine("w", command, hard, lookup)).toEqual({
      command: files[command],
      args: hard,
      verbatim: false,
    });
  });

  it.each(["line\nbreak", "carriage\rreturn", "nul\u0000byte"])("C028 refuses %j for a batch file", (arg) => {
    expect(windowsCommandLine("w", "npx", ["-y", arg], lookup)).toMatchObject({ kind: "spawn-invalid" });
  });
});
