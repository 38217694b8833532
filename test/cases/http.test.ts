import { describe, expect, it } from "vitest";
import type { ServerConfig, Supervisor, SupervisorOptions, ToolResult } from "../../src/index.js";
import { eventually, running, scripted, supervise } from "../support.js";
import { fixture, json, serve } from "../transport/httpHarness.js";

const reachable = (
  url: string,
  extra: Partial<ServerConfig> = {},
  options?: SupervisorOptions,
): Promise<Supervisor> => running([{ id: "h", transport: "http", url, ...extra }], options);

function failureOf(result: ToolResult): string {
  return result.ok ? "none" : result.failure.kind;
}

describe("servers over HTTP", () => {
  it("C046, C048 sends nothing before initialized is accepted, and the agreed version ever after", async () => {
    const server = await fixture("httpStrictInitialized.mjs");
    const supervisor = await reachable(server.url);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => supervisor.callTool("mcp_h_echo", { n })),
    );
    expect(results.map((result) => result.text)).toEqual(Array.from({ length: 20 }, (_, n) => `{"n":${n}}`));
  });

  it("C072 makes one new session for all that the old one refuses, and runs each call once", async () => {
    const server = await fixture("httpSessionExpires.mjs", [], { CASE_CALLS: "2" });
    const supervisor = await reachable(server.url);

    for (let n = 0; n < 5; n++) {
      expect(await supervisor.callTool("mcp_h_echo", { n })).toMatchObject({ ok: true, text: `{"n":${n}}` });
    }
    expect(await server.stats()).toMatchObject({ initialize: 3, initializeWithOldId: 0, calls: 5 });
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });

  it("C072 shares it among calls at the same time", async () => {
    const server = await fixture("httpSessionExpires.mjs", [], { CASE_CALLS: "5" });
    const supervisor = await reachable(server.url);

    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) => supervisor.callTool("mcp_h_echo", { n })),
    );

    expect(results.map((result) => result.ok)).toEqual(Array.from({ length: 10 }, () => true));
    expect(await server.stats()).toMatchObject({ initialize: 2, initializeWithOldId: 0, calls: 10 });
  });

  it("C072 makes no further session for a refusal that comes late, and lets no call out without one", async () => {
    const sessions: string[] = [];
    let late: (() => void) | undefined;
    const server = await serve(({ message, headers }, response) => {
      const { id, method, params } = message as {
        id?: number;
        method: string;
        params: Record<string, unknown>;
      };
      const refuse = (): void => json(response, 404, {});
      if (method === "initialize") {
        sessions.push(`session-${sessions.length + 1}`);
        const result = {
          protocolVersion: params["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        };
        const answer = (): void =>
          json(response, 200, { jsonrpc: "2.0", id, result }, { "mcp-session-id": sessions.at(-1) });
        return sessions.length === 1 ? answer() : setTimeout(answer, 500);
      }
      const isOld = headers["mcp-session-id"] === "session-1";
      if (method === "tools/list")
        return json(response, 200, {
          jsonrpc: "2.0",
          id,
          result: { tools: [{ name: "echo", inputSchema: {} }] },
        });
      if (method !== "tools/call") return false;
      const { n } = params["arguments"] as { n: number };
      if (headers["mcp-session-id"] === undefined) return json(response, 400, {});
      if (n === 1 && isOld) return (late = refuse);
      if (isOld) return refuse();
      return json(response, 200, {
        jsonrpc: "2.0",
        id,
        result: { content: [{ type: "text", text: `${n}` }] },
      });
    });
    const supervisor = await reachable(server.url);
    const call = (n: number) => supervisor.callTool("mcp_h_echo", { n }, { timeout: "30s" });

    const held = call(1);
    await eventually(() => late !== undefined, "the call that is refused late");
    const first = call(0);
    await eventually(() => sessions.length === 2, "the new session");
    const meanwhile = call(2);
    expect((await Promise.all([first, meanwhile])).map((result) => result.text)).toEqual(["0", "2"]);
    late!();

    expect((await held).text).toBe("1");
    expect(sessions).toHaveLength(2);
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });

  it("C072 gives up on a call that the new session refuses as well", async () => {
    const server = await fixture("httpSessionExpires.mjs", [], { CASE_CALLS: "0" });
    const supervisor = await reachable(server.url);

    const result = await supervisor.callTool("mcp_h_echo", {}, { timeout: "20s" });

    expect(failureOf(result)).toBe("unavailable");
    expect(result.text).toContain("404");
    expect(await server.stats()).toMatchObject({ initialize: 2, calls: 0 });
  });

  it.each([["405"], ["404"], ["400"], ["text"], ["html"]])(
    "C074 works without a listening stream and asks for it once (%s)",
    async (get) => {
      const server = await fixture("httpGetVariants.mjs", [`--get=${get}`]);
      const supervisor = await reachable(server.url);

      expect(await supervisor.callTool("mcp_h_echo", { a: 1 })).toMatchObject({ ok: true });
      await eventually(async () => (await server.stats())["gets"] === 1, "the one GET");
      await new Promise((done) => setTimeout(done, 1500));

      expect(await server.stats()).toEqual({ gets: 1 });
      expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
    },
  );

  it.each([["1"], ["2"], ["5"], ["1000"]])(
    "C075 reads any stream of events, in pieces of %s",
    async (size) => {
      const server = await fixture("httpStreamTorture.mjs", [], { CASE_CHUNK: size });
      const supervisor = await reachable(server.url);
      expect(supervisor.tools()).toHaveLength(1);
      expect(await supervisor.callTool("mcp_h_echo")).toMatchObject({ ok: true, text: "naïve — 日本語 😀" });
    },
  );

  it("C077 settles a call when its stream ends", async () => {
    const whole = await reachable((await fixture("httpStreamUnfinished.mjs")).url);
    expect(await whole.callTool("mcp_h_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
    const half = await reachable((await fixture("httpStreamUnfinished.mjs", ["--cut=half"])).url);
    expect(failureOf(await half.callTool("mcp_h_echo", {}, { timeout: "30s" }))).toBe("outcome-unknown");
    expect(half.server("h")!.status()).toMatchObject({ state: "ready" });
  });

  it.each([["resume"], ["lost"], ["never"]])(
    "C078 runs a call once whose stream drops (%s)",
    async (mode) => {
      const server = await fixture("httpStreamDrops.mjs", [`--mode=${mode}`]);
      const supervisor = await reachable(server.url);

      const result = await supervisor.callTool("mcp_h_echo", { a: 1 }, { timeout: "30s" });

      expect(failureOf(result)).toBe(mode === "resume" ? "none" : "outcome-unknown");
      expect((await server.stats())["runs"]).toBe(1);
      expect((await server.stats())["resumes"]).toBe({ resume: 1, lost: 1, never: 0 }[mode]);
    },
  );

  it.each(["202", "204", "200empty", "200null", "200json", "202json", "200sse"])(
    "C080 takes %s as the acknowledgement of a notification",
    async (ack) => {
      const supervisor = await reachable((await fixture("httpNotificationAcks.mjs", [`--ack=${ack}`])).url);
      expect(await supervisor.callTool("mcp_h_echo", { a: 1 })).toMatchObject({ ok: true, text: '{"a":1}' });
    },
  );

  it("C081 tells content types and error pages apart, in few words", async () => {
    const supervisor = await reachable((await fixture("httpContentTypes.mjs")).url);
    const call = (name: string) => supervisor.callTool(`mcp_h_${name}`, { a: 1 }, { timeout: "20s" });

    for (const name of ["charset", "upper", "none"]) expect(await call(name)).toMatchObject({ ok: true });
    for (const [name, ...words] of [
      ["login", "text/html", "200"],
      ["gateway", "502", "text/html"],
      ["empty", "200"],
      ["broken", "200"],
      ["redirect", "302"],
    ] as const) {
      const result = await call(name);
      expect(result.ok).toBe(false);
      for (const word of words) expect(result.text).toContain(word);
      expect(result.text.length).toBeLessThan(800);
      expect(await call("charset")).toMatchObject({ ok: true });
    }
  });

  it("C083 leaves no session behind", async () => {
    const server = await fixture("httpCountsSessions.mjs");
    const supervisor = await reachable(server.url);

    await supervisor.server("h")!.restart();
    expect(await server.stats()).toEqual({ opened: 2, deleted: 1, open: 1 });
    await supervisor.stop();

    expect(await server.stats()).toEqual({ opened: 2, deleted: 2, open: 0 });
  });

  it.each([["--delete=405"], ["--delete=hang"]])(
    "C083 stops in time whatever DELETE does (%s)",
    async (arg) => {
      const supervisor = await reachable((await fixture("httpCountsSessions.mjs", [arg])).url);
      const report = await supervisor.stop();
      expect(report.survivors).toEqual([]);
      expect(report.ms).toBeLessThan(8000);
    },
  );

  it("C084 settles every call of a server that does not answer, or answers with errors", {
    timeout: 60_000,
  }, async () => {
    const server = await fixture("httpHangAndErrors.mjs");
    const supervisor = await reachable(server.url);
    const call = (name: string) => supervisor.callTool(`mcp_h_${name}`, {}, { timeout: "2s" });

    expect(failureOf(await call("hang"))).toBe("timeout");
    expect(failureOf(await call("stall"))).toBe("timeout");
    expect(failureOf(await call("e500"))).toBe("outcome-unknown");
    expect(await call("e401")).toMatchObject({ ok: false, failure: { kind: "unavailable", code: 401 } });
    expect(await call("e429")).toMatchObject({ ok: false, failure: { code: 429, retryAfterMs: 2000 } });
    expect(failureOf(await call("reset"))).toBe("outcome-unknown");
    expect(await call("echo")).toMatchObject({ ok: true });
    expect(await server.stats()).toEqual({ hang: 1, stall: 1, e500: 1, e401: 1, e429: 1, reset: 1, echo: 1 });
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});

describe("answers over HTTP that no host should choke on", () => {
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const answers: Record<string, (id: number) => string> = {
    structured: (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${deep}}}`,
    block: (id) => `{"jsonrpc":"2.0","id":"${id}","result":{"content":[{"type":"x","y":${deep}}]}}`,
    data: (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"no","data":${deep}}}`,
    words: (id) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: 1, message: `\u001b[2J${"x".repeat(1_000_000)}` },
      }),
    fine: (id) =>
      JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "fine" }] } }),
  };

  it.each(["application/json", "text/event-stream"])("fails the one call and goes on (%s)", async (type) => {
    const server = await serve(({ message }, response) => {
      const { id, method, params } = message as {
        id: number;
        method: string;
        params: Record<string, string>;
      };
      const { protocolVersion, name } = params ?? {};
      if (method === "initialize")
        return json(response, 200, {
          jsonrpc: "2.0",
          id,
          result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } },
        });
      const tools = Object.keys(answers).map((each) => ({ name: each, inputSchema: { type: "object" } }));
      if (method === "tools/list") return json(response, 200, { jsonrpc: "2.0", id, result: { tools } });
      if (method !== "tools/call") return false;
      const text = answers[name!]!(id);
      response.writeHead(200, { "content-type": type });
      return response.end(type === "text/event-stream" ? `data: ${text}\n\n` : text);
    });
    const supervisor = await reachable(server.url);

    for (const name of ["structured", "block", "data"]) {
      const result = await supervisor.callTool(`mcp_h_${name}`, {}, { timeout: "20s" });
      expect(failureOf(result)).toBe("outcome-unknown");
      expect(result.text).toContain("nested deeper than 200 levels");
    }
    const words = await supervisor.callTool("mcp_h_words");
    expect(failureOf(words)).toBe("protocol-error");
    expect(words.text.length).toBeLessThan(3000);
    expect(await supervisor.callTool("mcp_h_fine")).toMatchObject({ ok: true, text: "fine" });
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});

describe("addresses without an MCP server", () => {
  it.each([
    [401, {}, "auth-required", "401"],
    [403, {}, "forbidden", "403"],
    [404, {}, "http-error", "404"],
    [200, { "content-type": "text/html" }, "http-error", "text/html"],
  ])("parks one that answers %i at the first try", async (status, headers, kind, word) => {
    const server = await serve((_seen, response) => {
      response.writeHead(status, headers).end("<html>not here</html>");
    });
    const supervisor = supervise([
      {
        id: "bad",
        transport: "http",
        url: server.url,
        restart: "eager",
        headers: { Authorization: "Bearer tok-123456" },
      },
      scripted("good", "namedTools.mjs", ["--tools=[]"]),
    ]);

    const report = await supervisor.ready({ timeout: "30s" });

    expect(report).toMatchObject({ ok: false, timedOut: false });
    const bad = supervisor.server("bad")!.status();
    expect(bad).toMatchObject({ state: "parked", generation: 1, lastError: { kind } });
    expect(bad.nextAttemptAt).toBeUndefined();
    expect(bad.lastError!.message).toContain('"bad"');
    expect(bad.lastError!.message).toContain(word);
    expect(JSON.stringify([bad, supervisor.replay(0).facts])).not.toContain("tok-123456");
    expect(supervisor.server("good")!.status().state).toBe("ready");
  });

  it("tries again where a 500 may pass", async () => {
    let failures = 2;
    const server = await serve((_seen, response) => {
      if (failures-- <= 0) return false;
      response.writeHead(500).end("oops");
      return true;
    });
    const supervisor = supervise([
      { id: "h", transport: "http", url: server.url, protocolVersion: "2025-11-25" },
    ]);
    await supervisor.start();
    await eventually(() => supervisor.server("h")!.status().state === "ready", "a ready server");
    expect(supervisor.server("h")!.status()).toMatchObject({ generation: 3, restarts: 2 });
  });

  it("takes no credentials to another origin", async () => {
    const other = await serve();
    const server = await serve((_seen, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const supervisor = await reachable(server.url, { headers: { Authorization: "Bearer tok-123456" } });
    expect(supervisor.server("h")!.status()).toMatchObject({
      state: "parked",
      lastError: { kind: "redirected" },
    });
    expect(other.seen).toEqual([]);
  });

  it("sends a reading call of retry: safe once more when its connection was closed under it, a writing one never", async () => {
    const runs: string[] = [];
    const tools = [
      { name: "read", inputSchema: {}, annotations: { readOnlyHint: true } },
      { name: "write", inputSchema: {} },
    ];
    const server = await serve(({ message }, response) => {
      const { id, method, params } = message as { id?: number; method: string; params: { name: string } };
      const result = (value: object): unknown => json(response, 200, { jsonrpc: "2.0", id, result: value });
      if (method === "initialize")
        return result({
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        });
      if (method === "tools/list") return result({ tools });
      if (method !== "tools/call") return false;
      runs.push(params.name);
      // Each tool's first call meets a connection that the server has just closed.
      if (runs.filter((each) => each === params.name).length === 1) return response.socket?.destroy();
      return result({ content: [{ type: "text", text: "ok" }] });
    });
    const supervisor = await reachable(server.url, { retry: "safe" });

    expect(await supervisor.callTool("mcp_h_read")).toMatchObject({ ok: true, text: "ok" });
    expect(await supervisor.callTool("mcp_h_write")).toMatchObject({
      ok: false,
      failure: { kind: "outcome-unknown" },
    });

    expect(runs).toEqual(["read", "read", "write"]);
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});
