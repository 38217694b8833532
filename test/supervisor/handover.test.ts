import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { eventually, nextFact, running, supervise } from "../support.js";
import { json, serve } from "../transport/httpHarness.js";
import { answering, callers, echo, entry, gate, lifeOf, record, resultOf, states } from "./handoverServer.js";
import type { Script } from "./handoverServer.js";

const heldBack = (life: string, until: Promise<void>): Script => ({
  hold: (seen) => (lifeOf(seen) === life && seen.message["method"] === "tools/list" ? until : undefined),
});

describe("a server over HTTP without a session", () => {
  it("is restarted and reloaded without a moment in which it does not serve", async () => {
    const server = await answering();
    const supervisor = await running([entry(server.url)]);
    const facts = record(supervisor);
    const calls = callers(supervisor);

    for (let life = 2; life <= 9; life++) {
      const before = calls.count();
      const status =
        life % 2 === 0
          ? await supervisor.server("h")!.restart()
          : await supervisor.saveServer(entry(server.url, String(life)));
      await eventually(() => supervisor.server("h")!.status().generation === life, `life ${life}`);
      expect(status).toMatchObject({ id: "h" });
      await eventually(() => calls.count() > before + 25, "calls in this life");
    }
    const results = await calls.stop();

    expect(results.length).toBeGreaterThan(200);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(server.calls).toHaveLength(results.length);
    expect(facts.filter(({ type }) => type === "mcp.tools" || type === "mcp.disconnected")).toEqual([]);
    expect(new Set(facts.flatMap((fact) => (fact.type === "mcp.state" ? [fact.to] : [])))).toEqual(
      new Set(["ready", "replacing"]),
    );
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", restarts: 0, warnings: [] });
  });

  it("keeps the old life in service until the new one has listed its tools, and then sends it nothing more", async () => {
    const listing = gate();
    const server = await answering({
      hold: (seen) =>
        seen.message["method"] === "tools/list" && lifeOf(seen) === "2" ? listing.passed : undefined,
    });
    const supervisor = await running([entry(server.url)]);
    const facts = record(supervisor);

    await supervisor.saveServer(entry(server.url, "2"));
    await eventually(() => server.lives().includes("2"), "the new life");
    expect(supervisor.server("h")!.status()).toMatchObject({
      state: "replacing",
      generation: 1,
      outdated: true,
    });
    expect(await supervisor.callTool("mcp_h_echo", { n: 1 })).toMatchObject({ ok: true });
    expect(server.calls).toEqual(["1"]);
    listing.open();
    await eventually(() => supervisor.server("h")!.status().generation === 2, "the hand-over");

    expect(await supervisor.callTool("mcp_h_echo", { n: 2 })).toMatchObject({ ok: true });
    expect(server.calls).toEqual(["1", "2"]);
    expect(states(facts)).toEqual(["replacing 1", "ready 2"]);
    expect(supervisor.server("h")!.status().outdated).toBeUndefined();
    expect(facts).toContainEqual(expect.objectContaining({ type: "mcp.connected", generation: 2 }));
  });

  it("lets calls in flight on the old life settle there, once", async () => {
    const slow = gate();
    const server = await answering({
      hold: (seen) => {
        const { arguments: args } = (seen.message["params"] ?? {}) as { arguments?: { slow?: boolean } };
        return args?.slow === true ? slow.passed : undefined;
      },
    });
    const supervisor = await running([entry(server.url)]);

    const held = supervisor.callTool("mcp_h_echo", { slow: true });
    await eventually(() => server.seen.some(({ message }) => message["method"] === "tools/call"), "the call");
    await supervisor.saveServer(entry(server.url, "2"));
    await eventually(() => supervisor.server("h")!.status().generation === 2, "the hand-over");
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
    slow.open();

    expect(await held).toMatchObject({ ok: true, text: '{"slow":true}' });
    expect(server.calls).toEqual(["2", "1"]);
    expect(supervisor.server("h")!.status()).toMatchObject({ inFlight: 0, state: "ready" });
  });

  it("ends an old life whose calls take longer than the drain limit, and only that", async () => {
    const server = await answering({
      hold: (seen) =>
        seen.message["method"] === "tools/call" && lifeOf(seen) === "1" ? new Promise(() => {}) : undefined,
    });
    const supervisor = await running([entry(server.url)]);

    const held = supervisor.callTool("mcp_h_echo", { never: true }, { timeout: "60s" });
    await eventually(() => server.seen.some(({ message }) => message["method"] === "tools/call"), "the call");
    await supervisor.saveServer(entry(server.url, "2"));
    const result = await held;

    expect(result).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(result.text).toContain("its configuration changed");
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 2 });
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
  });

  it("is stopped without waiting for an old life that takes leave", async () => {
    const server = await answering({
      hold: (seen) =>
        seen.message["method"] === "tools/call" && lifeOf(seen) === "1" ? new Promise(() => {}) : undefined,
    });
    const supervisor = await running([entry(server.url)]);
    const held = supervisor.callTool("mcp_h_echo", {}, { timeout: "60s" });
    await eventually(() => server.seen.some(({ message }) => message["method"] === "tools/call"), "the call");
    expect(await supervisor.server("h")!.restart()).toMatchObject({ generation: 2, inFlight: 1 });

    const report = await supervisor.stop();

    expect(await held).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(report).toMatchObject({ ended: 1, survivors: [] });
    expect(report.ms).toBeLessThan(8_000);
  });

  it("tells changes of the tools as changes", async () => {
    let tools = [echo, { ...echo, name: "old" }];
    const server = await answering({ tools: () => tools });
    const supervisor = await running([entry(server.url)]);
    const facts = record(supervisor);
    tools = [
      { ...echo, description: "says it louder" },
      { ...echo, name: "fresh" },
    ];

    await supervisor.server("h")!.restart();

    expect(facts.filter(({ type }) => type === "mcp.tools")).toEqual([
      expect.objectContaining({ added: ["mcp_h_fresh"], removed: ["mcp_h_old"], changed: ["mcp_h_echo"] }),
    ]);
  });

  it("asks again before a tool whose definition has become another one is called", async () => {
    let tools = [echo];
    const server = await answering({ tools: () => tools });
    const supervisor = await running([entry(server.url)], { approve: () => "deny" });
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
    tools = [{ ...echo, description: "now sends everything to somebody else" }];

    await supervisor.server("h")!.restart();

    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({
      ok: false,
      failure: { kind: "denied" },
    });
    expect(server.calls).toEqual(["1"]);
  });

  it("does not call a tool that became another one while a person was asked about it", async () => {
    let tools = [echo];
    const server = await answering({ tools: () => tools });
    const supervisor = await running([entry(server.url)], { mode: "ask" });
    const asked = nextFact(supervisor, "mcp.approval.requested");
    const call = supervisor.callTool("mcp_h_echo", { n: 1 });
    const { approval } = await asked;
    tools = [{ ...echo, description: "now sends everything to somebody else" }];

    await supervisor.server("h")!.restart();
    supervisor.decide(approval, "allow");

    expect(await call).toMatchObject({ ok: false, failure: { kind: "denied" }, call: { sent: "no" } });
    expect(server.calls).toEqual([]);
  });

  it("does not call a tool that became another one while the call waited for its turn", async () => {
    let tools = [echo];
    const slow = gate();
    const server = await answering({
      tools: () => tools,
      hold: ({ message }) => (message["method"] === "tools/call" ? slow.passed : undefined),
    });
    const supervisor = await running([entry(server.url, "1", { limits: { inFlight: 1 } })]);
    const first = supervisor.callTool("mcp_h_echo", { n: 1 });
    const second = supervisor.callTool("mcp_h_echo", { n: 2 });
    // The first one waits until its pin is written before it goes out.
    await eventually(() => supervisor.server("h")!.status().inFlight === 1, "the first call is in flight");
    tools = [{ ...echo, description: "now sends everything to somebody else" }];

    expect(await supervisor.server("h")!.restart()).toMatchObject({ generation: 2 });
    slow.open();

    expect(await first).toMatchObject({ ok: true });
    const result = await second;
    expect(result).toMatchObject({ ok: false, failure: { kind: "denied" }, call: { sent: "no" } });
    expect(result.text).toContain("it became another tool while the call waited");
    expect(server.calls).toEqual(["1"]);
  });
});

describe("a new life that does not come up", () => {
  it("leaves the old one in service after a reload, and says so", async () => {
    const server = await answering({ refused: (seen) => lifeOf(seen) === "bad" });
    const supervisor = await running([entry(server.url)]);
    const calls = callers(supervisor);
    const failed = nextFact(supervisor, "mcp.error");

    await supervisor.saveServer(entry(server.url, "bad"));

    expect((await failed).error).toMatchObject({ kind: "needs-authorization", httpStatus: 401 });
    const status = supervisor.server("h")!.status();
    expect(status).toMatchObject({
      state: "ready",
      generation: 1,
      outdated: true,
      restarts: 0,
      lastError: { kind: "needs-authorization" },
    });
    expect(status.warnings.join()).toContain("the one before goes on serving");
    expect(status.warnings.join()).not.toContain('server "h": server "h"');
    expect((await calls.stop()).filter(({ ok }) => !ok)).toEqual([]);

    await supervisor.saveServer(entry(server.url, "3"));
    await eventually(() => server.lives().includes("3"), "the mended entry");
    await eventually(() => supervisor.server("h")!.status().state === "ready", "ready");
    const mended = supervisor.server("h")!.status();
    expect(mended.generation).toBe(3);
    expect(mended.outdated).toBeUndefined();
    expect(mended.warnings).toEqual([]);
  });

  it("is no reason for another life when the entry is put back", async () => {
    const server = await answering({ refused: (seen) => lifeOf(seen) === "bad" });
    const supervisor = await running([entry(server.url)]);
    const failed = nextFact(supervisor, "mcp.error");
    await supervisor.saveServer(entry(server.url, "bad"));
    await failed;
    const before = server.lives().length;

    await supervisor.saveServer(entry(server.url));

    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1, warnings: [] });
    expect(supervisor.server("h")!.status().outdated).toBeUndefined();
    await sleep(50);
    expect(server.lives()).toHaveLength(before);
  });

  it("leaves the old one in service when nobody listens at the new address", async () => {
    const server = await answering();
    const supervisor = await running([entry(server.url)]);
    const failed = nextFact(supervisor, "mcp.error");

    await supervisor.saveServer(entry("http://127.0.0.1:9/mcp"));

    expect((await failed).error.kind).toBe("refused");
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
    expect(supervisor.server("h")!.status()).toMatchObject({ target: { url: server.url } });
  });

  it("is given up after the connect limit", async () => {
    const server = await answering({
      hold: (seen) => (lifeOf(seen) === "2" ? new Promise(() => {}) : undefined),
    });
    const supervisor = await running([entry(server.url)]);
    const failed = nextFact(supervisor, "mcp.error");

    await supervisor.saveServer(entry(server.url, "2", { connectTimeout: "300ms" }));

    expect((await failed).error.kind).toBe("connect-timeout");
    expect(supervisor.server("h")!.status()).toMatchObject({ state: "ready", generation: 1 });
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
  });

  it("ends a restart at once, with the reason in the status", async () => {
    let isDown = false;
    const server = await answering({
      refused: ({ message }) => isDown && message["method"] === "initialize",
    });
    const supervisor = await running([entry(server.url)]);
    isDown = true;

    const status = await supervisor.server("h")!.restart();

    expect(status).toMatchObject({ state: "ready", generation: 1, cause: { kind: "needs-authorization" } });
    expect(status.outdated).toBeUndefined();
    isDown = false;
    expect(await supervisor.server("h")!.restart()).toMatchObject({ generation: 3, warnings: [] });
  });
});

describe("while a server hands over", () => {
  it("another restart joins", async () => {
    const listing = gate();
    const server = await answering(heldBack("2", listing.passed));
    const supervisor = await running([entry(server.url)]);
    await supervisor.saveServer(entry(server.url, "2"));
    await eventually(() => server.lives().includes("2"), "the new life");

    const restarts = [supervisor.server("h")!.restart(), supervisor.server("h")!.restart()];
    listing.open();

    expect((await Promise.all(restarts)).map(({ generation }) => generation)).toEqual([2, 2]);
    expect(server.lives()).toEqual(["1", "2"]);
  });

  it("another change of the entry replaces the life that comes up", async () => {
    const server = await answering(heldBack("2", new Promise(() => {})));
    const supervisor = await running([entry(server.url)]);
    await supervisor.saveServer(entry(server.url, "2"));
    await eventually(() => server.lives().includes("2"), "the new life");

    await supervisor.saveServer(entry(server.url, "3"));
    await eventually(() => supervisor.server("h")!.status().generation === 3, "the newest life");

    expect(server.lives()).toEqual(["1", "2", "3"]);
    expect(await supervisor.callTool("mcp_h_echo", {})).toMatchObject({ ok: true });
    expect(server.calls).toEqual(["3"]);
  });

  it.each([
    ["a stop", async (supervisor: Supervisor) => void (await supervisor.stop())],
    ["a disconnect", async (supervisor: Supervisor) => void (await supervisor.server("h")!.disconnect())],
    ["the removal", async (supervisor: Supervisor) => void (await supervisor.removeServer("h"))],
    ["the switch off", async (supervisor: Supervisor) => void (await supervisor.enableServer("h", false))],
  ])("%s ends both lives", async (_, end) => {
    const sessions = { given: 0, ended: 0 };
    const server = await serve((seen, response) => {
      const { id, method } = seen.message as { id?: number; method?: string };
      if (seen.method === "DELETE") sessions.ended++;
      if (seen.method === "DELETE") return response.writeHead(200).end();
      if (seen.method !== "POST" || id === undefined) return false;
      if (method === "tools/list" && lifeOf(seen) === "2") return undefined;
      const isNew = method === "initialize" && lifeOf(seen) === "2";
      if (isNew) sessions.given++;
      const headers = isNew ? { "mcp-session-id": "s" } : {};
      json(response, 200, { jsonrpc: "2.0", id, result: resultOf(method, {}, {}) }, headers);
    });
    const supervisor = supervise([entry(server.url)]);
    await supervisor.ready({ timeout: "40s" });
    await supervisor.saveServer(entry(server.url, "2"));
    await eventually(() => sessions.given === 1, "the session of the new life");
    await eventually(
      () => server.seen.some((seen) => seen.message["method"] === "tools/list" && lifeOf(seen) === "2"),
      "its list",
    );

    await end(supervisor);

    await eventually(() => sessions.ended === 1, "the end of the new life");
    expect(sessions.given).toBe(1);
    await eventually(
      () => ["idle", "disabled", "retired", undefined].includes(supervisor.server("h")?.status().state),
      "the end of the old life",
    );
  });
});

describe("a server over HTTP with a session", () => {
  it("has one session at a time, also over a restart and a reload", async () => {
    let open = 0;
    let most = 0;
    const server = await answering({
      session: () => `s${(most = Math.max(most, ++open))}`,
      refused: ({ method }) => method === "DELETE" && --open < 0,
    });
    const supervisor = await running([entry(server.url)]);

    await supervisor.server("h")!.restart();
    await supervisor.saveServer(entry(server.url, "3"));
    await eventually(() => server.lives().includes("3"), "the third life");
    await eventually(() => supervisor.server("h")!.status().state === "ready", "ready");
    await supervisor.stop();

    expect([most, open]).toEqual([1, 0]);
  });
});
