import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { until, isAlive } from "../process/support.js";
import { hear, hearMode, wire } from "./stdioHarness.js";

describe("what a server writes to stdout", () => {
  it("is told message by message; other lines are counted and warned of once, without control characters", async () => {
    const heard = hearMode("noise");
    await heard.open();

    heard.request(1, "a", { x: 1 });
    heard.request(2, "b");

    expect(await heard.result(1)).toEqual({ echo: { x: 1 } });
    expect(await heard.result(2)).toEqual({ echo: null });
    expect(heard.warnings).toEqual([
      {
        kind: "noise",
        message:
          'server "demo": writes lines to stdout that are no MCP messages, such as:   ==== Demo 1.0 ✅ ====',
      },
    ]);
    expect(heard.closed).toEqual([]);
  });

  it("may be JSON that is no message: only objects get through, and nothing breaks", async () => {
    const heard = hearMode("json");
    await heard.open();

    heard.request(1, "a", "args");

    expect(await heard.result(1)).toEqual({ echo: "args" });
    expect(heard.messages).toEqual([
      {},
      { id: 1, result: "wrong" },
      { jsonrpc: "1.0", id: 1, result: "wrong" },
      { jsonrpc: "2.0", id: 1, result: { echo: "args" } },
    ]);
    expect(heard.warnings).toHaveLength(1);
  });

  it("may begin with a byte order mark and end its lines with CRLF", async () => {
    const heard = hearMode("crlf");
    await heard.open();

    heard.request(1, "a");

    expect(await heard.result(1)).toEqual({ text: "a\uFEFFb" });
    expect(heard.warnings).toEqual([]);
  });

  it("may come as a batch, or byte by byte (rows 19, 35)", async () => {
    const batch = hearMode("batch");
    const bytewise = hearMode("bytewise");
    await Promise.all([batch.open(), bytewise.open()]);

    batch.request(1, "a");
    bytewise.request(1, "a");

    expect(await batch.result(1)).toBe(1);
    expect(batch.messages).toHaveLength(2);
    expect(await bytewise.result(1)).toBe("ü€😀");
  });

  it("counts as a message although its newline never came", async () => {
    const heard = hearMode("unfinished");
    await heard.open();

    heard.request(1, "a");

    expect(await heard.result(1)).toBe("no newline");
  });

  it("over the size limit costs only that message, whose call is told at once (row 19)", async () => {
    const heard = hearMode("big", [], { limits: { messageBytes: 1_000_000 } });
    await heard.open();

    heard.request(1, "big", { bytes: 999_000 });
    heard.request(2, "big", { bytes: 2_000_000 });
    heard.request(3, "big", { bytes: 3_000_000, idLast: true });
    heard.request(4, "echo", "still here");

    expect(await heard.result(1)).toHaveLength(999_000);
    expect(await heard.result(4)).toEqual({ echo: "still here" });
    expect(heard.losses).toEqual([
      {
        id: 2,
        loss: {
          sent: "yes",
          cause: {
            kind: "not-mcp",
            message:
              'server "demo" sent a message of 2000036 bytes, over the limit of 1000000 bytes; it was dropped (raise limits.messageBytes to take it)',
          },
        },
      },
      { id: 3, loss: { sent: "yes", cause: expect.objectContaining({ kind: "not-mcp" }) } },
    ]);
    expect(heard.warnings.map((each) => each.kind)).toEqual(["too-large"]);
    expect(heard.closed).toEqual([]);
  });

  it("nested too deep costs only that message", async () => {
    const heard = hearMode("deep");
    await heard.open();

    heard.request(1, "deep", { levels: 199 });
    heard.request(2, "deep", { levels: 200 });
    heard.request(3, "deep", { levels: 10_000 });
    heard.request(4, "echo", 0);

    expect(await heard.result(4)).toEqual({ echo: 0 });
    expect(heard.messages.map((each) => each["id"])).toEqual([1, 4]);
    expect(heard.losses.map((each) => each.id)).toEqual([2, 3]);
  });

  it("holds no more memory than the limit for 100 MB without a newline", async () => {
    const heard = hearMode("endless", ["100"], { limits: { messageBytes: 8_000_000 } });
    const before = process.memoryUsage().rss;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    await heard.open();

    heard.request(1, "echo", "after");

    expect(await heard.result(1)).toEqual({ echo: "after" });
    clearInterval(watch);
    expect(heard.warnings[0]?.message).toContain("104857600 bytes");
    expect(most - before).toBeLessThan(32 * 1024 * 1024);
  });

  it("ends a connection whose line is far over the limit and has no end", async () => {
    const heard = hearMode("endless", ["100"], { limits: { messageBytes: 1_000_000 } });
    await heard.open();

    heard.request(1, "echo", "never");

    await expect
      .poll(() => heard.closed, { timeout: 20_000, message: "the end of the connection" })
      .toHaveLength(1);
    expect(heard.closed[0]).toMatchObject({ kind: "unhealthy" });
    expect(heard.closed[0]?.message).toMatch(
      /^server "demo" has written one line of 8\d{7} bytes, at a limit of 1000000, and no end$/,
    );
    expect(heard.messages).toEqual([]);
  });

  it("tells the call of an answer that is four times over the limit before that has come to its end", async () => {
    const heard = hearMode("big", [], { limits: { messageBytes: 1_000_000 } });
    await heard.open();

    heard.request(1, "big", { bytes: 12_000_000 });
    heard.request(2, "echo", "after");

    expect(await heard.result(2)).toEqual({ echo: "after" });
    expect(heard.losses.map(({ id }) => id)).toEqual([1]);
    expect(heard.losses[0]?.loss.cause.message).toMatch(
      /sends a message of more than 4\d{6} bytes, over the limit of 1000000 bytes; it is dropped/,
    );
    expect(heard.closed).toEqual([]);
  });

  it("costs time in proportion to its size", async () => {
    const heard = hearMode("big");
    await heard.open();
    const time = async (id: number, bytes: number): Promise<number> => {
      const begun = performance.now();
      heard.request(id, "big", { bytes });
      expect(await heard.result(id)).toHaveLength(bytes);
      return performance.now() - begun;
    };
    await time(1, 1_000_000);
    const small = Math.max(await time(2, 1_000_000), 20);

    expect(await time(3, 12_000_000)).toBeLessThan(small * 40);
  });
});

describe("what a server writes to stderr", () => {
  it("is always drained, and its newest lines are kept (row 20)", async () => {
    const heard = hearMode("stderr");
    await heard.open();

    for (const id of [1, 2, 3]) heard.request(id, "a");

    expect(await heard.result(3)).toEqual({ echo: null });
    await until(
      "the last line",
      () => heard.transport.stderrTail().at(-1)?.startsWith("line 1023 ") === true,
    );
    expect(heard.transport.stderrTail()).toHaveLength(20);
  });

  it("may be 10 MB without a newline", async () => {
    const heard = hearMode("stderrEndless", [], { limits: { stderrBytes: 1000 } });
    await heard.open();

    heard.request(1, "a");

    expect(await heard.result(1)).toEqual({ echo: null });
    await until("the tail", () => heard.transport.stderrTail().length === 1);
    expect(heard.transport.stderrTail()).toEqual([`…${"z".repeat(1000)}`]);
  });
});

describe("what we write to a server", () => {
  it("is one line per message, in order, with positions that grow until all has left", async () => {
    const heard = hearMode("echo");
    await heard.open();

    const positions = Array.from({ length: 100 }, (_, index) => heard.request(index + 1, "m", index));

    expect(heard.transport.deliveredUpTo()).toBeLessThan(Number(positions[99]));
    expect(await heard.result(100)).toEqual({ echo: 99 });
    expect(heard.messages.map((each) => each["id"])).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(positions[0]).toBe(1);
    expect(positions).toEqual([...positions].toSorted((a, b) => Number(a) - Number(b)));
    expect(heard.transport.deliveredUpTo()).toBe(positions[99]);
  });

  it("is refused when too much of it waits, and what still waits at the end was never sent (row 21)", async () => {
    const heard = hearMode("deaf", [], { limits: { unsentBytes: 3_000_000 } });
    await heard.open();
    heard.request(1, "first");
    await heard.result(1);

    const text = "x".repeat(1_000_000);
    const sent = [2, 3, 4].map((id) => heard.request(id, "m", text));

    expect(sent.slice(0, 2)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(sent[2]).toEqual({
      kind: "stdin-closed",
      message: expect.stringMatching(
        /^server "demo" does not read its input: \d+ bytes wait, .*3000000 bytes/,
      ),
    });
    expect(heard.transport.deliveredUpTo()).toBeLessThan(Number(sent[1]));
    await new Promise((tick) => setImmediate(tick));
    expect(heard.request(5, "later", "y")).toEqual(expect.any(Number));
    await heard.transport.close();
    expect(heard.losses.map((each) => [each.id, each.loss.sent])).toEqual([[5, "no"]]);
    expect(heard.closed).toHaveLength(1);
  });

  it("ends the connection when the server has closed its stdin but lives", async () => {
    const heard = hearMode("closesStdin");
    await heard.open();
    heard.request(1, "a");
    await heard.result(1);

    await until("the pipe is broken", () => {
      heard.request(2, "b");
      return heard.closed.length > 0;
    });

    expect(heard.closed).toEqual([expect.objectContaining({ kind: "stdin-closed" })]);
    expect(heard.request(3, "c")).toMatchObject({ kind: "stdin-closed" });
  });
});

describe("the end of a server", () => {
  it.each([
    [{ code: 0 }, { kind: "clean-exit", exitCode: 0 }],
    [{ code: 3 }, { kind: "crashed", exitCode: 3 }],
    [{ code: 137 }, { kind: "crashed", exitCode: 137, message: expect.stringContaining("memory ran out") }],
    [{ signal: "SIGSEGV" }, { kind: "killed", signal: "SIGSEGV" }],
    [
      { signal: "SIGKILL" },
      { kind: "killed", signal: "SIGKILL", message: expect.stringContaining("out of memory") },
    ],
  ])("by %j is told once, with the last lines of stderr", async (how, cause) => {
    const heard = hearMode("echo");
    await heard.open();

    heard.request(1, "exit", how);
    await until("it is told", () => heard.closed.length > 0);

    expect(heard.closed).toEqual([expect.objectContaining(cause)]);
    expect(heard.closed[0]?.stderrTail).toEqual(["region is missing", "last \\x07words"]);
    expect(heard.request(2, "echo")).toEqual(heard.closed[0]);
    expect(await heard.transport.close()).toMatchObject({ survivors: [], forced: false });
    expect(heard.closed).toHaveLength(1);
  });

  it("is told soon although a helper still holds its stdout (row 23)", async () => {
    const heard = hearMode("helper");
    await heard.open();
    const begun = performance.now();

    heard.request(1, "helper");
    await until("it is told", () => heard.closed.length > 0, 10_000);

    expect(heard.closed).toEqual([expect.objectContaining({ kind: "crashed", exitCode: 5 })]);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await heard.transport.close()).toMatchObject({ survivors: [], forced: true });
  });

  it("is told when it closes its stdout and lives on", async () => {
    const heard = hearMode("closesStdout");
    await heard.open();

    heard.request(1, "a");
    await until("it is told", () => heard.closed.length > 0);

    expect(heard.closed).toEqual([expect.objectContaining({ kind: "stdout-closed" })]);
    const [pid] = heard.transport.pids();
    expect(await heard.transport.close()).toMatchObject({ survivors: [] });
    expect(isAlive(Number(pid))).toBe(false);
  });

  it("that we asked for is told as such", async () => {
    const heard = hearMode("echo", [], { shutdown: { eofMs: 30_000 } });
    await heard.open();

    await heard.transport.close();

    expect(heard.closed).toEqual([{ kind: "requested", message: 'server "demo" was stopped', exitCode: 0 }]);
  });
});

describe("a server that cannot be started", () => {
  it.each([
    [
      "nobody-has-this-command",
      "command-not-found",
      'server "demo": command "nobody-has-this-command" was not found',
    ],
    [
      "/etc/passwd",
      "command-not-executable",
      'server "demo": command "/etc/passwd" may not be executed (EACCES)',
    ],
    [tmpdir(), "command-not-executable", "may not be executed"],
    [" ", "spawn-invalid", "command is empty"],
    ["a\0b", "spawn-invalid", "NUL"],
  ])("%j gives %s", async (command, kind, message) => {
    const heard = hear({ target: { command } });

    await expect(heard.open()).rejects.toMatchObject({
      info: { kind, message: expect.stringContaining(message) },
    });
    expect(await heard.transport.close()).toMatchObject({ survivors: [] });
    expect(heard.closed).toEqual([]);
    expect(heard.request(1, "a")).toMatchObject({ kind: "stdin-closed" });
  });

  it("names args that are too long or hold a NUL", async () => {
    await expect(
      hear({ target: { command: "true", args: ["x".repeat(4_000_000)] } }).open(),
    ).rejects.toMatchObject({
      info: { kind: "spawn-invalid", message: expect.stringContaining("E2BIG") },
    });
    await expect(hear({ target: { command: "true", args: ["a", "b\0"] } }).open()).rejects.toMatchObject({
      info: { kind: "spawn-invalid", message: 'server "demo": args[1] holds a NUL character' },
    });
  });

  it.each([
    [
      "/nowhere/at/all",
      'server "demo": working directory "/nowhere/at/all" does not exist; correct cwd or create it',
    ],
    [wire, `server "demo": working directory "${wire}" is not a directory; correct cwd or create it`],
  ])("blames the working directory %s, not the command", async (cwd, message) => {
    const heard = hear({ target: { command: process.execPath, args: ["--version"], cwd } });

    await expect(heard.open()).rejects.toMatchObject({ info: { kind: "cwd-missing", message } });
    expect(heard.transport.pids()).toEqual([]);
  });

  it("leaves nothing behind when it is closed while it starts", async () => {
    const heard = hearMode("echo");
    const opening = heard.open();

    const end = await heard.transport.close();

    await expect(opening).rejects.toMatchObject({ info: { kind: "requested" } });
    expect(end.survivors).toEqual([]);
    expect(heard.transport.pids().filter(isAlive)).toEqual([]);
  });
});
