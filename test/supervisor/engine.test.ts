import { describe, expect, it } from "vitest";
import { eventually, lives, nextFact, running, scripted, supervise, temporaryFolder } from "../support.js";

describe("a fleet", () => {
  it("comes up, answers calls under public names and goes down without leaving a process", async () => {
    const supervisor = await running([
      scripted("one", "scripted.mjs"),
      scripted("two", "scripted.mjs", ["--tag=two:"]),
    ]);
    expect(supervisor.servers().map(({ id, state, toolCount }) => [id, state, toolCount])).toEqual([
      ["one", "ready", 7],
      ["two", "ready", 7],
    ]);
    const pids = supervisor.servers().flatMap((server) => server.pids);

    const result = await supervisor.callTool("mcp_two_echo", { text: "hi" });
    const report = await supervisor.stop();

    expect(result).toMatchObject({
      ok: true,
      text: "two:hi",
      call: { server: "two", tool: "echo", sent: "yes" },
    });
    expect(report).toMatchObject({ ended: 2, survivors: [] });
    for (const pid of pids) expect(await lives(pid)).toBe(false);
  });

  it("restarts a killed server with the next call, in a new generation", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);
    const [pid] = supervisor.server("one")!.status().pids;
    const down = nextFact(supervisor, "mcp.disconnected");

    process.kill(pid!, "SIGKILL");
    expect((await down).reason).toMatchObject({ kind: "killed", signal: "SIGKILL" });
    const result = await supervisor.callTool("mcp_one_pid");

    expect(result.ok).toBe(true);
    expect(Number(result.text)).not.toBe(pid);
    expect(supervisor.server("one")!.status().generation).toBe(2);
  });

  it("fails open calls at once when the process dies, as calls whose outcome is unknown", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);

    const [waiting, exiting] = await Promise.all([
      supervisor.callTool("mcp_one_wait", {}, { timeout: "60s" }),
      supervisor.callTool("mcp_one_exit", { code: 7 }),
    ]);

    for (const result of [waiting, exiting]) {
      expect(result).toMatchObject({ ok: false, failure: { kind: "outcome-unknown", code: 7 } });
      expect(result.text).toContain("exit code 7");
    }
  });

  it("wakes a lazy server with the first call only, once for all callers", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs", [], { lazy: true })]);
    expect(supervisor.servers()[0]).toMatchObject({ state: "idle", generation: 0, pids: [] });
    const status = await supervisor.server("one")!.connect();
    expect(status).toMatchObject({ state: "ready", generation: 1 });
    await supervisor.server("one")!.disconnect();
    expect(supervisor.servers()[0]).toMatchObject({ state: "idle" });

    const results = await Promise.all(Array.from({ length: 10 }, () => supervisor.callTool("mcp_one_pid")));

    expect(new Set(results.map((result) => result.text)).size).toBe(1);
    expect(results.every((result) => result.ok)).toBe(true);
    expect(supervisor.servers()[0]).toMatchObject({ generation: 2 });
  });

  it("gives unknown names a hint, and takes no call after stop", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);

    const unknown = await supervisor.callTool("mcp_one_ecko", {});
    await supervisor.stop();
    const late = await supervisor.callTool("mcp_one_echo", {});

    expect(unknown).toMatchObject({ ok: false, failure: { kind: "unknown-tool" } });
    expect(unknown.text).toContain("mcp_one_echo");
    expect(late).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
  });

  it("ends a slow call at its own limit, tells the server, and drops the late answer", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);

    const slow = await supervisor.callTool("mcp_one_sleep", { ms: 400 }, { timeout: 100 });
    const next = await supervisor.callTool("mcp_one_sleep", { ms: 500 });

    expect(slow).toMatchObject({ ok: false, failure: { kind: "timeout" }, call: { sent: "unknown" } });
    expect(next).toMatchObject({ ok: true, text: "slept" });
    expect(supervisor.servers()[0]!.warnings).toEqual([]);
  });

  it("queues beyond 16 in flight and refuses beyond the queue", async () => {
    const supervisor = await running([
      scripted("one", "scripted.mjs", [], { limits: { inFlight: 2, queued: 3 } }),
    ]);

    const results = await Promise.all(
      Array.from({ length: 8 }, () => supervisor.callTool("mcp_one_sleep", { ms: 20 })),
    );

    expect(results.filter((result) => result.ok)).toHaveLength(5);
    expect(results.filter((result) => !result.ok && result.failure.kind === "overloaded")).toHaveLength(3);
  });

  it("settles queued calls at their deadline without sending them", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs", [], { limits: { inFlight: 1 } })]);
    const controller = new AbortController();
    const blocking = supervisor.callTool("mcp_one_wait", {}, { signal: controller.signal });

    const queued = await supervisor.callTool("mcp_one_echo", {}, { timeout: 50 });
    controller.abort();

    expect(queued).toMatchObject({ ok: false, failure: { kind: "timeout" }, call: { sent: "no" } });
    expect(await blocking).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
  });

  it("stops while servers are still starting", async () => {
    const supervisor = supervise([scripted("one", "scripted.mjs"), scripted("two", "scripted.mjs")]);
    const opened = nextFact(supervisor, "mcp.state", (fact) => fact.to === "initializing");
    await supervisor.start();
    await opened;
    const pids = supervisor.servers().flatMap((server) => server.pids);

    const report = await supervisor.stop();

    expect(report.survivors).toEqual([]);
    for (const pid of pids) expect(await lives(pid)).toBe(false);
  });

  it("adds, changes and removes servers while it runs", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);
    const before = supervisor.server("one")!.status().pids;

    await supervisor.saveServer(scripted("two", "scripted.mjs"));
    await eventually(() => supervisor.server("two")?.status().state === "ready", "two is ready");
    await supervisor.saveServer(scripted("one", "scripted.mjs", ["--tag=new:"]));
    await eventually(
      () =>
        supervisor.server("one")?.status().generation === 2 &&
        supervisor.server("one")?.status().state === "ready",
      "one is new",
    );
    const result = await supervisor.callTool("mcp_one_echo", { text: "x" });
    await supervisor.removeServer("two");
    await eventually(() => supervisor.server("two") === undefined, "two is gone");

    expect(result).toMatchObject({ ok: true, text: "new:x" });
    expect(await lives(before[0]!)).toBe(false);
    expect(supervisor.tools().every((tool) => tool.server === "one")).toBe(true);
  });
});

describe("a lazy server", () => {
  it("offers the tools of its last session before its first call, marked as cached", async () => {
    const home = temporaryFolder();
    const lazy = scripted("one", "scripted.mjs", [], { lazy: true });
    const first = await running([lazy], { home });
    expect(first.tools()).toEqual([]);
    await first.server("one")!.connect();
    await first.stop();

    const second = await running([lazy], { home });
    expect(second.tools().map((tool) => [tool.name, tool.cached])).toContainEqual(["mcp_one_echo", true]);
    expect(second.servers()[0]).toMatchObject({ state: "idle", generation: 0 });
    expect(await second.callTool("mcp_one_echo", { text: "hi" })).toMatchObject({ ok: true, text: "hi" });
    expect(second.tools().find((tool) => tool.tool === "echo")?.cached).toBeUndefined();

    const other = await running([{ ...lazy, args: [...lazy.args!, "--tag=x"] }], { home });
    expect(other.tools()).toEqual([]);
  });

  it("begins by itself when its entry says that it is lazy no more", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs", [], { lazy: true })]);
    expect(supervisor.servers()[0]).toMatchObject({ state: "idle", generation: 0 });
    const ready = nextFact(supervisor, "mcp.connected");

    await supervisor.saveServer(scripted("one", "scripted.mjs", [], { lazy: false }));

    expect(await ready).toMatchObject({ id: "one", generation: 1 });
  });

  it("goes to rest after its idle timeout and comes back with the next call", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs", [], { idleTimeout: "300ms" })]);
    await eventually(() => supervisor.servers()[0]!.state === "idle", "it rests");
    expect(supervisor.servers()[0]!.cause.kind).toBe("idle");
    expect(supervisor.tools()).toHaveLength(7);

    expect(await supervisor.callTool("mcp_one_echo", { text: "hi" })).toMatchObject({ ok: true });
  });
});
