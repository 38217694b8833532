import { afterEach, describe, expect, it } from "vitest";
import type { Fact, Supervisor } from "../../src/index.js";
import { eventually, lives, running, scripted } from "../support.js";

const seconds = 1000;
const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
process.on("unhandledRejection", keep);
process.on("warning", keep);

afterEach(() => {
  if (unhandled.length > 0) throw new Error(`not handled: ${String(unhandled.splice(0))}`);
});

function logs(supervisor: Supervisor, kind: RegExp): Fact[] {
  return supervisor.replay(0).facts.filter((fact) => fact.type === "mcp.log" && kind.test(fact.message));
}

describe("servers with odd stdio", () => {
  it("C013 takes banners and log lines on stdout for noise and says so once", async () => {
    const supervisor = await running([scripted("noisy", "noisyStdout.mjs")]);

    expect(supervisor.tools().map((tool) => tool.name)).toEqual(["mcp_noisy_echo"]);
    expect(await supervisor.callTool("mcp_noisy_echo", { a: 1 })).toMatchObject({
      ok: true,
      text: '{"a":1}',
    });

    const { warnings } = supervisor.server("noisy")!.status();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("writes lines to stdout that are no MCP messages");
    expect(logs(supervisor, /no MCP messages/)).toHaveLength(1);
    const told = JSON.stringify([warnings, supervisor.replay(0).facts]);
    // oxlint-disable-next-line no-control-regex -- raw control characters are what must not be there
    expect(JSON.parse(told).flat().map(String).join("")).not.toMatch(/[\u0000-\u0008\u001b]/);
  });

  it.each([["plain"], ["--deep"]])(
    "C014 survives every JSON value that is no message (%s)",
    async (variant) => {
      const supervisor = await running([scripted("junk", "jsonNoise.mjs", [variant])]);

      const results = await Promise.all(
        [1, 2, 3].map((n) => supervisor.callTool("mcp_junk_echo", { n, text: "null" })),
      );

      expect(results.map((result) => result.text)).toEqual([
        '{"n":1,"text":"null"}',
        '{"n":2,"text":"null"}',
        '{"n":3,"text":"null"}',
      ]);
      expect(supervisor.server("junk")!.status()).toMatchObject({ state: "ready", generation: 1 });
      expect(logs(supervisor, /no MCP messages/)).toHaveLength(1);
    },
  );

  it.each([["yes"], ["no"]])("C016 reads CRLF lines, byte order mark: %s", async (mark) => {
    const supervisor = await running([scripted("windows", "markAndCrlf.mjs", [`--bom=${mark}`])]);

    expect(await supervisor.callTool("mcp_windows_echo", { a: 1 })).toMatchObject({ text: '{"a":1}' });
    expect(await supervisor.callTool("mcp_windows_marked")).toMatchObject({
      content: [{ type: "text", text: "\ufeffa\r\nb" }],
    });
    expect(supervisor.server("windows")!.status().warnings).toEqual([]);
  });

  it("C017 loses only the one message that is over the limit", { timeout: 120 * seconds }, async () => {
    const supervisor = await running([scripted("big", "hugeLine.mjs")]);
    const big = (mb: number, shape = "plain") => supervisor.callTool("mcp_big_big", { mb, shape });
    const { pids } = supervisor.server("big")!.status();

    for (const mb of [1, 8, 12]) {
      const [block] = (await big(mb)).content;
      expect(String(block?.["text"]).length).toBe(mb * 1_048_576);
    }
    for (const shape of ["plain", "text-id", "id-last", "batch"]) {
      const over = await big(17, shape);
      expect(over).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
      expect(over.text).toMatch(/178\d{5} bytes.*16777216 bytes/);
      expect(await supervisor.callTool("mcp_big_echo")).toMatchObject({ ok: true, text: "ok" });
    }
    expect(await big(17, "notice")).toMatchObject({ ok: true, text: "after the notice" });
    expect(supervisor.server("big")!.status()).toMatchObject({ state: "ready", generation: 1, pids });
  });

  it.each([[""], ["--unbroken"]])(
    "C019 reads stderr all the time and keeps only its end %s",
    { timeout: 60 * seconds },
    async (variant) => {
      const kb = variant === "" ? 1024 : 10 * 1024;
      const supervisor = await running([scripted("loud", "stderrFlood.mjs", [`--kb=${kb}`, variant])]);

      for (let n = 1; n <= 3; n++) {
        expect(await supervisor.callTool("mcp_loud_echo", {}, { timeout: "15s" })).toMatchObject({
          ok: true,
        });
      }

      const tail = await eventually(() => {
        const lines = supervisor.server("loud")!.status().stderrTail;
        return lines.at(-1) === "call 3 is done" && lines;
      }, "the newest line of stderr");
      expect(tail.length).toBeLessThanOrEqual(20);
      expect(tail.join("\n").length).toBeLessThanOrEqual(64 * 1024);
    },
  );

  it("C020 bounds what waits for a server that reads nothing", { timeout: 60 * seconds }, async () => {
    const supervisor = await running([
      scripted("deaf", "stopsReading.mjs", [], {
        shutdown: { eof: "100ms", term: "2s" },
        limits: { inFlight: 64 },
      }),
      scripted("other", "noisyStdout.mjs"),
    ]);
    expect(await supervisor.callTool("mcp_deaf_echo")).toMatchObject({ text: "first" });
    const [pid] = supervisor.server("deaf")!.status().pids;
    const payload = "x".repeat(1_048_576);

    const calls = Array.from({ length: 40 }, () =>
      supervisor.callTool("mcp_deaf_echo", { payload }, { timeout: "2s" }),
    );
    expect(await supervisor.callTool("mcp_other_echo", { a: 1 }, { timeout: "10s" })).toMatchObject({
      ok: true,
    });
    const kinds = (await Promise.all(calls)).map((result) => (result.ok ? "ok" : result.failure.kind));

    // Eight of a megabyte fit into the bound of 8 MiB less their envelopes: seven; the others are told at once.
    expect(kinds.filter((kind) => kind === "timeout")).toHaveLength(7);
    expect(kinds.filter((kind) => kind === "unavailable")).toHaveLength(33);
    const pending = Array.from({ length: 3 }, () =>
      supervisor.callTool("mcp_deaf_echo", {}, { timeout: "60s" }),
    );
    process.kill(pid!, "SIGKILL");
    for (const result of await Promise.all(pending)) expect(result.ok).toBe(false);
    await eventually(async () => !(await lives(pid!)), "the end of the killed server");
    expect(supervisor.server("deaf")!.status()).toMatchObject({ inFlight: 0, queued: 0 });
  });

  it.each([
    ["an exit code", [], { exitCode: 3 }, "exit code 3"],
    ["a signal", ["--signal=SIGSEGV"], { signal: "SIGSEGV" }, "SIGSEGV"],
  ])("C023 tells %s and the last words of a server that never began", async (_what, args, details, words) => {
    const token = "tok-12345-secret";
    const supervisor = await running([
      scripted("dead", "diesWithReason.mjs", args, { env: { TOKEN: token }, restart: "never" }),
    ]);

    const status = supervisor.server("dead")!.status();

    expect(status.lastError).toMatchObject(details);
    expect(status.lastError!.message).toContain('server "dead"');
    expect(status.lastError!.message).toContain(words);
    expect(status.lastError!.message).toMatch(/before/);
    expect(status.lastError!.stderrTail!.join("\n")).toContain("region is missing");
    const everything = JSON.stringify([status, supervisor.replay(0).facts]);
    expect(everything).toContain("login failed for token ********");
    expect(everything).not.toContain(token);
  });

  it("gives an answer that lacks its line end when the server exits behind it", async () => {
    const supervisor = await running([scripted("ends", "endings.mjs")]);
    expect(await supervisor.callTool("mcp_ends_half")).toMatchObject({ ok: true, text: "half a line" });
  });

  it("fails a call at once whose answer was cut off by the exit", async () => {
    const supervisor = await running([scripted("ends", "endings.mjs")]);
    expect(await supervisor.callTool("mcp_ends_cut")).toMatchObject({
      ok: false,
      failure: { kind: "outcome-unknown", code: 7 },
    });
  });

  it.each([["mute"], ["deaf"]])("ends a server that closes a pipe and lives on (%s)", async (name) => {
    const supervisor = await running([
      scripted("ends", "endings.mjs", [], { shutdown: { eof: "200ms", term: "2s" } }),
    ]);
    const [pid] = supervisor.server("ends")!.status().pids;

    const first = await supervisor.callTool(`mcp_ends_${name}`, {}, { timeout: "10s" });
    // A closed stdin shows with the next message only.
    const second = await supervisor.callTool("mcp_ends_echo", { a: 1 }, { timeout: "20s" });

    expect(first).toMatchObject({ ok: false });
    expect([second.ok, !second.ok && second.failure.kind]).not.toContain("timeout");
    await eventually(async () => !(await lives(pid!)), "the end of the old process");
    expect(await supervisor.callTool("mcp_ends_echo", { a: 2 })).toMatchObject({ ok: true, text: '{"a":2}' });
  });
});
