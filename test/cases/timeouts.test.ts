import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallOptions, Supervisor, ToolResult } from "../../src/index.js";
import { eventually, lives, running, scripted, supervise, temporaryFolder } from "../support.js";

function failureOf(result: ToolResult): string {
  return result.ok ? "none" : result.failure.kind;
}

async function seen(supervisor: Supervisor): Promise<{ waits: number[]; cancels: number[] }> {
  return JSON.parse((await supervisor.callTool("mcp_c_seen")).text) as {
    waits: number[];
    cancels: number[];
  };
}

function throwing(): never {
  throw new Error("host");
}

describe("limits of time", () => {
  it("C029 takes the limit of the call over that of the server over the default", async () => {
    const supervisor = await running([
      scripted("plain", "sleeps.mjs"),
      scripted("quick", "sleeps.mjs", [], { timeout: "1s" }),
    ]);
    const sleep = (id: string, ms: number, options?: CallOptions): Promise<ToolResult> =>
      supervisor.callTool(`mcp_${id}_sleep`, { ms }, options);

    const begun = performance.now();
    const [perCall, longer, perServer, byDefault] = await Promise.all([
      sleep("plain", 3000, { timeout: 500 }).then((result) => ({ result, ms: performance.now() - begun })),
      sleep("quick", 1500, { timeout: "30s" }),
      sleep("quick", 3000),
      sleep("plain", 1500),
    ]);

    expect(perCall.result.text).toContain(
      'tool "sleep" of server "plain" did not answer within 500 ms and was told to cancel',
    );
    expect(failureOf(perCall.result)).toBe("timeout");
    expect(perCall.ms).toBeGreaterThan(490);
    expect(longer).toMatchObject({ ok: true, text: "slept" });
    expect(failureOf(perServer)).toBe("timeout");
    expect(perServer.text).toContain("within 1000 ms");
    expect(byDefault).toMatchObject({ ok: true, text: "slept" });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "0s", "soon", "5", ""])(
    "C029 refuses the limit %j where it is given",
    async (timeout) => {
      const supervisor = supervise([
        scripted("good", "sleeps.mjs"),
        scripted("bad", "sleeps.mjs", [], { timeout }),
      ]);
      await supervisor.ready({ timeout: "30s" });

      const problem = supervisor.problems().find((each) => each.severity === "error");
      expect(problem).toMatchObject({ server: "bad" });
      expect(problem?.path).toContain("timeout");
      const refused = await supervisor.callTool("mcp_good_sleep", {}, { timeout });
      expect(failureOf(refused)).toBe("invalid-arguments");
      expect(refused.text).toContain("timeout");
      expect(await supervisor.callTool("mcp_good_sleep")).toMatchObject({ ok: true });
    },
  );

  it.each([[{}], [{ token: "text" }], [{ after: true }]])(
    "C030 starts the idle limit anew with each progress %j (row 17)",
    async (odd) => {
      const supervisor = await running([scripted("slow", "sleeps.mjs")]);
      const progresses: number[] = [];

      const result = await supervisor.callTool(
        "mcp_slow_steps",
        { ms: 300, count: 10, ...odd },
        { timeout: "1500ms", onProgress: ({ progress }) => void progresses.push(progress) },
      );

      expect(result).toMatchObject({ ok: true, text: "all steps done" });
      expect(result.call.durationMs).toBeGreaterThan(2000);
      expect(progresses).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await supervisor.callTool("mcp_slow_steps", { ms: 1 })).toMatchObject({ ok: true });
    },
  );

  it("C030 ends it after the total limit however much progress comes (row 17)", async () => {
    const supervisor = await running([scripted("slow", "sleeps.mjs")]);

    const result = await supervisor.callTool("mcp_slow_steps", { ms: 50, count: 1000 }, { timeout: 300 });

    expect(failureOf(result)).toBe("timeout");
    expect(result.text).toContain("within 3000 ms in all, though it reported progress");
  });

  it("C030 survives a progress handler of the host that throws", async () => {
    const supervisor = await running([scripted("slow", "sleeps.mjs")]);
    expect(await supervisor.callTool("mcp_slow_steps", { ms: 10 }, { onProgress: throwing })).toMatchObject({
      ok: true,
    });
  });
});

describe("cancelled calls", () => {
  it("C033 tells the server once, whether the caller gave up or the time was over (row 16)", async () => {
    const supervisor = await running([scripted("c", "tellsCancels.mjs")]);
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(), 200);

    const [aborted, late] = await Promise.all([
      supervisor.callTool("mcp_c_wait", {}, { signal: aborter.signal }),
      supervisor.callTool("mcp_c_wait", {}, { timeout: 300 }),
    ]);
    expect([failureOf(aborted), failureOf(late)]).toEqual(["cancelled", "timeout"]);

    const { waits, cancels } = await seen(supervisor);
    expect(waits).toHaveLength(2);
    expect(cancels).toHaveLength(2);
    expect(new Set(cancels)).toEqual(new Set(waits));
  });

  it("C033 sends nothing for what is over, or has not begun", async () => {
    const supervisor = await running([scripted("c", "tellsCancels.mjs")]);
    const aborter = new AbortController();

    await supervisor.callTool("mcp_c_quick", {}, { signal: aborter.signal });
    aborter.abort();
    const before = await supervisor.callTool("mcp_c_wait", {}, { signal: aborter.signal });

    expect(failureOf(before)).toBe("cancelled");
    expect(before.call.sent).toBe("no");
    expect(await seen(supervisor)).toEqual({ waits: [], cancels: [] });
  });

  it("C033 drops an answer that comes all the same, without a word", async () => {
    const supervisor = await running([scripted("c", "tellsCancels.mjs")]);

    await supervisor.callTool("mcp_c_wait", { late: 50 }, { timeout: 100 });
    await new Promise((done) => setTimeout(done, 300));

    expect(await supervisor.callTool("mcp_c_quick")).toMatchObject({ ok: true, text: "quick" });
    expect(supervisor.server("c")!.status()).toMatchObject({ warnings: [], inFlight: 0 });
  });

  it("C033 keeps nothing of a thousand aborted calls", { timeout: 60_000 }, async () => {
    // One more than is aborted: that one asks what has come.
    const limits = { inFlight: 1001, queued: 1000 };
    const supervisor = await running([scripted("c", "tellsCancels.mjs", [], { limits })]);
    const aborter = new AbortController();

    const calls = Array.from({ length: 1000 }, () =>
      supervisor.callTool("mcp_c_wait", {}, { signal: aborter.signal }),
    );
    await eventually(async () => (await seen(supervisor)).waits.length === 1000, "a thousand calls");
    aborter.abort();

    expect(new Set((await Promise.all(calls)).map(failureOf))).toEqual(new Set(["cancelled"]));
    expect(supervisor.server("c")!.status()).toMatchObject({ inFlight: 0, queued: 0 });
    const { waits, cancels } = await seen(supervisor);
    expect(new Set(cancels)).toEqual(new Set(waits));
    expect(cancels).toHaveLength(1000);
  });

  it("C033 never cancels initialize", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = supervise([
      scripted("never", "silentHandshake.mjs", [], {
        connectTimeout: 1,
        restart: "never",
        env: { EVENTS: events },
        shutdown: { eof: "2s" },
      }),
    ]);
    await supervisor.start();
    await eventually(() => supervisor.server("never")!.status().lastError !== undefined, "the failed start");
    const report = await supervisor.stop();

    expect(report.survivors).toEqual([]);
    expect(readFileSync(events, "utf8")).not.toContain("cancelled");
  });
});

describe("servers that die in the middle of calls", () => {
  it("C035 fails the open calls at once and starts anew for the next (row 24)", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([scripted("d", "diesInCall.mjs", [], { env: { EVENTS: events } })]);
    const [old] = supervisor.server("d")!.status().pids;
    const begun = performance.now();

    const open = await Promise.all(
      ["wait", "boom"].map((name) => supervisor.callTool(`mcp_d_${name}`, {}, { timeout: "60s" })),
    );

    expect(performance.now() - begun).toBeLessThan(20_000);
    for (const result of open) {
      expect(failureOf(result)).toBe("outcome-unknown");
      expect(result.text).toContain("SIGKILL");
      expect(result.call.sent).not.toBe("no");
    }
    const next = await supervisor.callTool("mcp_d_pid", {}, { timeout: "30s" });
    expect(next.ok).toBe(true);
    expect(next.text).not.toBe(String(old));
    expect(await lives(old!)).toBe(false);
  });

  it("C035 says why a call could not wait for the new start", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([
      scripted("d", "diesInCall.mjs", ["--slow=60000"], {
        env: { EVENTS: events },
        shutdown: { eof: "200ms" },
      }),
    ]);
    await supervisor.callTool("mcp_d_boom");

    const waited = await supervisor.callTool("mcp_d_pid", {}, { timeout: "1s" });

    expect(failureOf(waited)).toBe("timeout");
    expect(waited.text).toMatch(/was not called within 1000 ms: the server is \w+ \(.+\); nothing was sent/);
    expect(waited.call.sent).toBe("no");
  });

  it("C036 never runs a call twice that it was not allowed to (row 3)", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([scripted("a", "actsThenDies.mjs", [], { env: { EVENTS: events } })]);
    const call = (name: string): Promise<ToolResult> =>
      supervisor.callTool(`mcp_a_${name}`, {}, { timeout: "30s" });

    for (const name of ["charge", "look", "charge"]) {
      const result = await call(name);
      expect(failureOf(result)).toBe("outcome-unknown");
      expect(result.text).toContain("may have run");
    }
    expect(await call("look")).toMatchObject({ ok: true, text: "looked" });
    const { generation } = supervisor.server("a")!.status();
    expect(failureOf(await call("refuse"))).toBe("protocol-error");
    expect(failureOf(await call("fails"))).toBe("tool-error");
    expect(supervisor.server("a")!.status().generation).toBe(generation);
    expect(readFileSync(events, "utf8").trim().split("\n")).toEqual([
      "charge",
      "look",
      "charge",
      "refuse",
      "fails",
    ]);
  });

  it("C036 sends a read-only call again where the user allowed it, and only that", async () => {
    const events = join(temporaryFolder(), "events");
    const supervisor = await running([
      scripted("a", "actsThenDies.mjs", [], { env: { EVENTS: events }, retry: "safe", trusted: true }),
    ]);

    expect(await supervisor.callTool("mcp_a_look", {}, { timeout: "30s" })).toMatchObject({
      ok: true,
      text: "looked",
    });
    expect(failureOf(await supervisor.callTool("mcp_a_charge", {}, { timeout: "30s" }))).toBe(
      "outcome-unknown",
    );
    expect(readFileSync(events, "utf8")).toBe("look\ncharge\n");
  });
});
