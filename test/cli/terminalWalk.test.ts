import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { argumentsFor, readArguments } from "../../src/cli/context/arguments.js";
import { call } from "../../src/cli/commands/call.js";
import { tools } from "../../src/cli/commands/tools.js";
import { attentionLines } from "../../src/cli/screen/attention.js";
import { serverTable, summaryLine } from "../../src/cli/screen/serverTable.js";
import { signature } from "../../src/cli/screen/signature.js";
import { columnsOf } from "../../src/cli/screen/visible.js";
import { attentionOf } from "../../src/index.js";
import { fixture, openSandbox, serversFile } from "./support/binary.js";
import { fakeContext, until } from "./support/fakeContext.js";
import { answered, fakeSupervisor, refused, server, tool } from "./support/fakeSupervisor.js";

const noColors = fakeContext(fakeSupervisor({}).supervisor).context.terminal.colors;

describe("a table of servers", () => {
  const fleet = [
    server("files", { calls: 12, latency: { p50: 3, p95: 9, p99: 12 } }),
    server("github", {
      state: "parked",
      cause: { kind: "gave-up", message: "it ended 5 times" },
      lastError: {
        kind: "crashed",
        message:
          'server "github" ended with exit code 1; its stderr says: Error: GITHUB_TOKEN is required (set that variable in `env` of its entry)',
      },
      toolCount: 0,
      pids: [],
    }),
    server("off", { state: "disabled", toolCount: 0, pids: [] }),
  ];

  it("fits into 80 columns as a table: the trouble first, the least worth columns gone", () => {
    const lines = serverTable(fleet, 80, noColors, 0);

    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^SERVER +STATE .*LAST CAUSE$/);
    expect(lines[1]).toMatch(/^github +parked .*ended with exit code 1/);
    expect(lines.at(-1)).toMatch(/^off +disabled/);
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(80);
  });

  it("says in one line how many are in which state", () => {
    expect(summaryLine([...fleet, server("two")])).toBe("2 ready, 1 parked, 1 disabled");
  });
});

describe("arguments of a call", () => {
  const schema = {
    properties: {
      n: { type: "integer" },
      on: { type: "boolean" },
      list: { type: "array" },
      text: { type: "string" },
    },
  };

  it.each([
    [["text=hi there"], { text: "hi there" }],
    [["n=3", "on=true", "text=7"], { n: 3, on: true, text: "7" }],
    [["list=[1,2]", "other=5"], { list: [1, 2], other: "5" }],
    [["n:=4", 'any:={"a":[1]}'], { n: 4, any: { a: [1] } }],
    [['{"n": 1}'], { n: 1 }],
    [["n=three"], { n: "three" }],
    [[], {}],
  ])("%j", async (words, expected) => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    expect(argumentsFor(await readArguments(words, context.terminal.stdin), schema)).toEqual(expected);
  });

  it("come from files, too", async () => {
    const sandbox = openSandbox();
    try {
      const text = sandbox.file("note.txt", "line one\nline two\n");
      const json = sandbox.file("args.json", '{"n": 9}');
      const { context } = fakeContext(fakeSupervisor({}).supervisor);
      const read = async (...words: string[]) =>
        argumentsFor(await readArguments(words, context.terminal.stdin), schema);

      expect(await read(`text=@${text}`)).toEqual({ text: "line one\nline two\n" });
      expect(await read(`all:=@${json}`)).toEqual({ all: { n: 9 } });
      expect(await read(`@${json}`)).toEqual({ n: 9 });
      await expect(read("@no-such-file")).rejects.toThrow("the file no-such-file cannot be read");
      await expect(read("text=a", "oops")).rejects.toThrow('"oops" is no argument');
    } finally {
      sandbox.close();
    }
  });
});

describe("mcpvisor call", () => {
  const long = `${"x".repeat(12_000)}\n[cut: 12000 of 20000 characters shown; content holds all of it]`;
  const cut = (name: string) => ({
    ...answered(name, long),
    content: [
      { type: "text", text: "x".repeat(20_000) },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    ],
  });

  it("prints all of a result into a pipe, and says on a screen that it cut", async () => {
    const fake = fakeSupervisor({ call: async (name) => cut(name), tools: [tool("a", "x")] });
    const pipe = fakeContext(fake.supervisor);
    const screen = fakeContext(fake.supervisor, { columns: 80, rows: 24 });

    await call(pipe.context, {}, "a.x", []);
    await call(screen.context, {}, "a.x", []);
    expect(pipe.stdout.text).toBe(`${"x".repeat(20_000)}\n[image: image/png]\n`);
    expect(screen.stdout.text).toBe(`${long}\n`);
    expect(screen.stderr.text).toContain("cut for the screen");
  });

  it("saves the files of a result", async () => {
    const sandbox = openSandbox();
    try {
      const fake = fakeSupervisor({ call: async (name) => cut(name) });
      const { context } = fakeContext(fake.supervisor);
      const out = join(sandbox.folder, "saved");

      await call(context, { out, maxChars: "10" }, "mcp_a_x", []);

      expect(readFileSync(join(out, "image-2.png")).toString("base64")).toBe("iVBORw0KGgo=");
    } finally {
      sandbox.close();
    }
  });

  it("says a failure once", async () => {
    const fake = fakeSupervisor({
      call: async (name) => refused(name, "denied", "it is not allowed"),
      servers: [server("a")],
    });
    const { context, stdout, stderr } = fakeContext(fake.supervisor);

    expect(await call(context, {}, "mcp_a_x", [])).toBe(1);
    expect(stdout.text).toBe("");
    expect(stderr.text).toBe("denied: it is not allowed\n");
  });
});

describe("mcpvisor tools NAME", () => {
  const read = tool("files", "read", {
    description: "[MCP files] Reads a file",
    inputSchema: {
      type: "object",
      properties: {
        head: { type: "integer", description: "only so many lines" },
        path: { type: "string" },
        mode: { enum: ["text", "bytes"], default: "text" },
      },
      required: ["path"],
    },
  });

  it("shows a tool as a function, with a call to begin with", () => {
    expect(signature(read)).toEqual([
      "files.read(",
      "  path: string,",
      "  head?: integer,  // only so many lines",
      '  mode?: "text" | "bytes" = "text",',
      ")",
      "",
      "Reads a file",
      "",
      "now: allow; definition: pinned; public name: mcp_files_read",
      "example: mcpvisor call files.read path=…",
    ]);
  });

  it("finds it by either name, and says when there is none", async () => {
    const { context, stdout, stderr } = fakeContext(fakeSupervisor({ tools: [read] }).supervisor);

    expect(await tools(context, {}, "files.read")).toBe(0);
    expect(await tools(context, {}, "mcp_files_read")).toBe(0);
    expect(await tools(context, {}, "files.write")).toBe(1);

    expect(stdout.text.match(/files\.read\(/g)).toHaveLength(2);
    expect(stderr.text).toContain('there is no tool "files.write"');
  });
});

describe("what needs attention", () => {
  it("stands in order of urgency, each with its one fix", () => {
    const items = attentionOf({
      servers: [
        server("fine"),
        server("slow", {
          state: "reconnecting",
          nextAttemptAt: 5,
          cause: { kind: "refused", message: "nobody listens" },
        }),
        server("broken", {
          state: "parked",
          cause: { kind: "gave-up", message: "x" },
          lastError: { kind: "command-not-found", message: 'server "broken": command "x" was not found' },
        }),
        server("locked", {
          state: "parked",
          cause: { kind: "needs-authorization", message: "wants a login" },
        }),
        server("left", {
          state: "stuck",
          cause: { kind: "stuck", message: "a process could not be ended" },
          pids: [7],
        }),
        server("old", { outdated: true }),
        server("web", { state: "idle", cause: { kind: "network-off", message: "off" } }),
      ],
      approvals: [
        { id: "approval-1", kind: "call", server: "fine", tool: "write" },
        { id: "approval-2", kind: "call", server: "fine", tool: "write" },
      ],
      problems: [
        { severity: "error", message: "a comma is missing", file: "mcp.json", line: 3 },
        { severity: "warning", message: "y" },
      ],
    });

    expect(items.map(({ tone, server: id, fix }) => [tone, id, fix.do])).toEqual([
      ["bad", "left", "end"],
      ["wait", "fine", "decide"],
      ["bad", "locked", "login"],
      ["bad", undefined, "edit"],
      ["bad", "broken", "connect"],
      ["note", "slow", "connect"],
      ["note", undefined, "network"],
      ["note", "old", "restart"],
    ]);
    expect(items[1]).toMatchObject({
      text: '2 calls of "write" wait for an approval',
      fix: { approvals: ["approval-1", "approval-2"] },
    });
    expect(items[4]).toMatchObject({
      text: 'command "x" was not found',
      advice: expect.stringContaining("install the command") as string,
    });
    expect(attentionLines(items).slice(0, 2)).toEqual([
      "✗ left: a process could not be ended",
      "  end the processes that are left of it: kill -9 7",
    ]);
    expect(attentionLines([])).toEqual(["nothing needs attention"]);
  });
});

describe("the service at a terminal", () => {
  let sandbox: ReturnType<typeof openSandbox>;
  beforeEach(() => {
    sandbox = openSandbox();
  });
  afterEach(async () => {
    await sandbox.run(["stop"]);
    sandbox.close();
  });

  it("goes up in the background, tells how it is, keeps what servers write, and stops", async () => {
    const config = sandbox.file(
      "mcp.json",
      serversFile({
        one: [fixture("scripted.mjs")],
        loud: ["-e", "console.error('region is missing'); setTimeout(() => process.exit(3), 50)"],
      }),
    );

    const begun = await sandbox.run(["up", "-d", "--config", config, "--mode", "allow-trusted"]);
    expect(begun).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dashboard .*http:\/\/127\.0\.0\.1:\d+/) as string,
    });
    const again = await sandbox.run(["up", "-d", "--config", config]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("runs already") as string });

    await until(() => existsSync(join(sandbox.home, "logs/loud.log")), "the log");
    const logs = await sandbox.run(["logs", "loud"]);
    expect(logs.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z region is missing\n/);

    const called = await sandbox.run(["call", "one.env", "name=PATH"]);
    expect(called.code).toBe(0);
    const status = await sandbox.run(["status"]);
    expect(status.stdout).toContain("ready");

    expect(await sandbox.run(["stop"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^stopped/) as string,
    });
    expect(await sandbox.run(["status"])).toMatchObject({ code: 2 });
  });

  it("starts only the server that a call needs", async () => {
    const log = join(sandbox.folder, "other.log");
    const config = sandbox.file(
      "mcp.json",
      serversFile({ one: [fixture("scripted.mjs")], other: [fixture("scripted.mjs"), `--log=${log}`] }),
    );

    const called = await sandbox.run([
      "call",
      "one.echo",
      "text=hi",
      "--config",
      config,
      "--mode",
      "allow-trusted",
    ]);
    const listed = await sandbox.run(["tools", "--server", "one", "--config", config]);

    expect(called).toMatchObject({ code: 0, stdout: "hi\n" });
    expect(listed.stdout).toContain("mcp_one_echo");
    expect(existsSync(log)).toBe(false);
  });

  it("says in an empty home what to do next", async () => {
    for (const command of ["tools", "servers"]) {
      const { stderr } = await sandbox.run([command]);
      expect(stderr).toContain("mcpvisor import");
    }
  });
});
