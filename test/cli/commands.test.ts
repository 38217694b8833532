import { describe, expect, it } from "vitest";
import { call } from "../../src/cli/commands/call.js";
import { events } from "../../src/cli/commands/events.js";
import { servers } from "../../src/cli/commands/servers.js";
import { tools } from "../../src/cli/commands/tools.js";
import { up } from "../../src/cli/commands/up.js";
import { fakeContext, until } from "./support/fakeContext.js";
import { answered, fakeSupervisor, refused, server, tool } from "./support/fakeSupervisor.js";

const badFile = {
  severity: "error" as const,
  message: "a comma is missing",
  file: "mcp.json",
  line: 3,
  column: 5,
};

const fact = (seq: number) => ({ seq, at: 0, type: "mcp.retired" as const, id: `s${seq}` });

describe("mcpvisor servers", () => {
  it("prints one line per server and ends with 0 when all are ready", async () => {
    const fake = fakeSupervisor({ servers: [server("files"), server("db", { pids: [], calls: 3 })] });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await servers(context, {})).toBe(0);

    expect(stdout.text.split("\n")).toEqual([
      "SERVER  STATE  GEN  TOOLS   PID  CALLS  P50  P95  LAST CAUSE",
      "files   ready    1      2  4711      0    -    -  2 tools listed",
      "db      ready    1      2     -      3    -    -  2 tools listed",
      "",
    ]);
    expect(fake.counts).toEqual({ started: 1, stopped: 1, forced: 0 });
  });

  it("ends with 1 when a server is not ready, and shows why", async () => {
    const lastError = { kind: "crashed" as const, message: "exit code 3\u001b[2J" };
    const fake = fakeSupervisor({ servers: [server("files", { state: "parked", lastError })] });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await servers(context, {})).toBe(1);

    expect(stdout.text).toContain("exit code 3\\x1b[2J");
  });

  it("ends with 2 when the configuration has an error, and still tells about the others", async () => {
    const fake = fakeSupervisor({ servers: [server("files")], problems: [badFile] });
    const { context, stdout, stderr } = fakeContext(fake.supervisor);

    expect(await servers(context, { json: true })).toBe(2);

    expect(stderr.text).toBe("mcp.json:3:5: error: a comma is missing\n");
    const printed = JSON.parse(stdout.text) as { servers: { id: string }[]; problems: unknown[] };
    expect(printed.servers.map((each) => each.id)).toEqual(["files"]);
    expect(printed.problems).toEqual([badFile]);
  });

  it("looks for the usual files only when no file is named", async () => {
    const { context, opened } = fakeContext(fakeSupervisor({}).supervisor);

    await servers(context, {});
    await servers(context, { config: ["/etc/mcp.json"], mode: "allow-all", network: false });

    expect(opened[0]).toMatchObject({ discover: true });
    expect(opened[1]).toMatchObject({
      configFiles: ["/etc/mcp.json"],
      mode: "allow-all",
      network: false,
    });
    expect(opened[1]).not.toHaveProperty("discover");
  });

  it("says what to do when nothing is configured", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    await servers(context, {});

    expect(stderr.text).toContain(
      "no servers are configured: take over those of other programs with `mcpvisor import`",
    );
  });
});

describe("mcpvisor tools", () => {
  it("lists name, server, permission and pin", async () => {
    const fake = fakeSupervisor({ servers: [server("a")], tools: [tool("a", "x"), tool("b", "y")] });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await tools(context, { server: "a" })).toBe(0);

    expect(stdout.text.split("\n")).toEqual([
      "TOOL     SERVER  NOW    DEFINITION  DESCRIPTION",
      "mcp_a_x  a       allow  pinned      x",
      "",
    ]);
  });

  it("says with --budget what the definitions cost, by server and in sum", async () => {
    const fake = fakeSupervisor({
      servers: [server("a")],
      tools: [tool("a", "x"), tool("b", "y"), tool("b", "z")],
    });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await tools(context, { budget: true })).toBe(0);

    const rows = stdout.text
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ["SERVER", "TOOLS"],
      ["b", "2"],
      ["a", "1"],
      ["all", "3"],
    ]);
    expect(Number(rows[3]![2])).toBe(Number(rows[1]![2]) + Number(rows[2]![2]));
  });
});

describe("mcpvisor call", () => {
  it("prints the text of the result", async () => {
    const fake = fakeSupervisor({ call: (name) => Promise.resolve(answered(name, "one\ntwo\u001b[2J")) });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await call(context, {}, "mcp_a_x", ['{"n": 1}'])).toBe(0);

    expect(stdout.text).toBe("one\ntwo\\x1b[2J\n");
  });

  it("prints one ToolResult with --json and ends with 1 when the call failed", async () => {
    const fake = fakeSupervisor({ call: (name) => Promise.resolve(refused(name, "tool-error", "no")) });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await call(context, { json: true }, "mcp_a_x", [])).toBe(1);

    expect(JSON.parse(stdout.text)).toMatchObject({ ok: false, failure: { kind: "tool-error" } });
  });

  it("reads the arguments from stdin", async () => {
    const given: unknown[] = [];
    const fake = fakeSupervisor({
      call: (name, args) => {
        given.push(args);
        return Promise.resolve(answered(name, ""));
      },
    });
    const { context, stdin } = fakeContext(fake.supervisor);
    stdin.end('{"text": "from stdin"}');

    await call(context, {}, "mcp_a_x", ["-"]);

    expect(given).toEqual([{ text: "from stdin" }]);
  });

  it("refuses arguments that are not JSON before anything starts", async () => {
    const { context, opened } = fakeContext(fakeSupervisor({}).supervisor);

    await expect(call(context, {}, "mcp_a_x", ["{path: 1}"])).rejects.toThrow(/the arguments are not JSON/);

    expect(opened).toEqual([]);
  });

  it("does not wait for a slow neighbour", async () => {
    const fake = fakeSupervisor({ ready: new Promise(() => {}), tools: [tool("a", "x")] });
    const { context } = fakeContext(fake.supervisor);

    expect(await call(context, {}, "mcp_a_x", [])).toBe(0);
  });
});

describe("mcpvisor events", () => {
  it("prints each fact once: those of the start first, then the live ones", async () => {
    const fake = fakeSupervisor({ servers: [server("a")], facts: [fact(1), fact(2)] });
    const { context, stdout, send } = fakeContext(fake.supervisor);

    const running = events(context, { json: true });
    await until(() => fake.events.observed, "a subscriber");
    fake.events.next(fact(2));
    fake.events.next(fact(3));
    send("SIGINT");

    expect(await running).toBe(130);
    const lines = stdout.text.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3]);
  });

  it("ends by itself after --for", async () => {
    const { context } = fakeContext(fakeSupervisor({ servers: [server("a")] }).supervisor);

    expect(await events(context, { for: "20ms" })).toBe(0);
  });

  it("refuses a duration that is none", async () => {
    const { context } = fakeContext(fakeSupervisor({}).supervisor);

    await expect(events(context, { for: "soon" })).rejects.toThrow(/--for "soon" is not a duration/);
  });
});

describe("mcpvisor up", () => {
  it("prints plain lines without a terminal, and the report at the end", async () => {
    const fake = fakeSupervisor({ servers: [server("files")] });
    const { context, stdout, stderr, send } = fakeContext(fake.supervisor);

    const running = up(context, {});
    await until(() => stderr.text.includes("ready: 1 of 1 server"), "ready");
    fake.events.next({ seq: 9, at: 0, type: "mcp.retired", id: "files" });
    send("SIGTERM");

    // It was there to run until somebody ends it.
    expect(await running).toBe(0);
    expect(stdout.text).toContain("files: removed\n");
    expect(stdout.text).toContain("stopped: 1 ended, nothing is left, took 3.00 ms\n");
    expect(stderr.text).toContain("SIGTERM: stopping 1 server; another signal ends them at once");
    expect(stdout.text + stderr.text).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("forces at the second signal", async () => {
    const fake = fakeSupervisor({ servers: [server("files")] });
    const { context, stderr, send } = fakeContext(fake.supervisor);

    const running = up(context, {});
    await until(() => fake.events.observed, "a subscriber");
    send("SIGINT");
    send("SIGINT");

    expect(await running).toBe(130);
    expect(fake.counts.forced).toBe(1);
    expect(stderr.text).toContain("forced: ending every process now");
  });

  it("draws a table on a terminal and keeps messages out of it", async () => {
    const fake = fakeSupervisor({ servers: [server("files")] });
    const { context, stdout, send } = fakeContext(fake.supervisor, { columns: 100, rows: 20 });

    const running = up(context, {});
    await until(() => stdout.text.includes("Ctrl-C stops"), "the table");
    fake.servers.next([server("files", { generation: 2 })]);
    await until(() => /ready +2 +2 +4711/.test(stdout.text), "the change");
    send("SIGINT");
    await running;

    expect(stdout.text).toContain("\u001b[?25l");
    expect(stdout.text.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.text.lastIndexOf("\u001b[?25l"));
    expect(stdout.text.trimEnd()).toMatch(/stopped: 1 ended.*$/);
  });

  it("--once --json prints one report and ends with 0 only if all of it worked", async () => {
    const offered = [tool("files", "list", { annotations: { readOnlyHint: true } })];
    const fake = fakeSupervisor({ servers: [server("files"), server("db")], tools: offered });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await up(context, { once: true, json: true })).toBe(0);

    expect(JSON.parse(stdout.text)).toMatchObject({
      ok: true,
      servers: [{ id: "files" }, { id: "db" }],
      calls: [
        { server: "files", tool: "list", arguments: {}, result: { ok: true, text: "hello" } },
        { server: "db", skipped: "no allowed read-only tool without arguments" },
      ],
      stop: { survivors: [] },
    });
  });

  it("--once ends with 1 when a sample call failed", async () => {
    const offered = [tool("files", "list", { annotations: { readOnlyHint: true } })];
    const fake = fakeSupervisor({
      servers: [server("files")],
      tools: offered,
      call: (name) => Promise.resolve(refused(name, "tool-error", "the disk is full")),
    });
    const { context, stdout } = fakeContext(fake.supervisor);

    expect(await up(context, { once: true })).toBe(1);

    expect(stdout.text).toContain("files: list FAILED in 12 ms: tool-error: the disk is full");
  });

  it("never calls a tool that may change something", async () => {
    const called: string[] = [];
    const fake = fakeSupervisor({
      servers: [server("files")],
      tools: [
        tool("files", "delete_all"),
        tool("files", "needs_more", {
          annotations: { readOnlyHint: true },
          inputSchema: { type: "object", required: ["path"] },
        }),
        tool("files", "must_ask", { annotations: { readOnlyHint: true }, permission: "ask" }),
      ],
      call: (name) => {
        called.push(name);
        return Promise.resolve(answered(name, ""));
      },
    });
    const { context } = fakeContext(fake.supervisor);

    await up(context, { once: true });

    expect(called).toEqual([]);
  });

  it("ends with 2 and a hint when there is nothing to keep up", async () => {
    const { context, stderr } = fakeContext(fakeSupervisor({}).supervisor);

    expect(await up(context, {})).toBe(2);

    expect(stderr.text).toContain("no servers are configured");
  });
});
