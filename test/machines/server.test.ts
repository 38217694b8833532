import { describe, expect, it } from "vitest";
import { ending, newContext } from "../../src/machines/serverContext.js";
import { cause, plan, refusedWith, rig } from "./rig.js";

const crash = cause("crashed", { exitCode: 1, stderrTail: ["region is missing"] });

describe("a server that begins", () => {
  it("goes through connecting, initializing and listing to ready, each told once with its cause", async () => {
    const server = rig();

    server.send({ type: "start" });
    await server.serve();

    expect(
      server.told.map(
        (each) => each.type === "state" && [each.from, each.to, each.cause.kind, each.generation],
      ),
    ).toEqual([
      ["new", "deciding", "start", 0],
      ["deciding", "idle", "start", 0],
      ["idle", "connecting", "start", 1],
      ["connecting", "initializing", "opened", 1],
      ["initializing", "listing", "initialized", 1],
      ["listing", "ready", "listed", 1],
    ]);
    expect(server.has("usable")).toBe(true);
    expect(server.summary()).toMatchObject({ tools: 3, session: { protocolVersion: "2025-11-25" } });
  });

  it("stays idle when it is lazy, until a call wakes it", () => {
    const server = rig({ lazy: true });

    server.send({ type: "start" });
    expect(server.state()).toBe("idle");
    server.send({ type: "wake" });

    expect(server.state()).toBe("connecting");
  });

  it("begins by itself when it is no longer lazy, unless somebody has sent it to rest", async () => {
    const server = rig({ lazy: true });
    server.send({ type: "configure", plan, renew: false });
    expect(server.state()).toBe("idle");
    server.send({ type: "configure", plan: { ...plan, lazy: true }, renew: false });
    server.send({ type: "start" });
    server.send({ type: "configure", plan: { ...plan, lazy: true, idleTimeoutMs: 5_000 }, renew: false });
    expect(server.state()).toBe("idle");

    server.send({ type: "configure", plan, renew: false });
    expect(server.last()).toMatchObject({ to: "connecting", cause: { kind: "config-changed" } });

    await server.serve();
    server.send({ type: "configure", plan: { ...plan, lazy: true }, renew: false });
    server.send({ type: "disconnect" });
    await server.reap();
    server.send({ type: "configure", plan, renew: false });
    expect(server.state()).toBe("idle");
  });

  it("begins once for ten wakes at the same time", async () => {
    const server = rig({ lazy: true });

    for (let i = 0; i < 10; i += 1) server.send({ type: "wake" });
    await server.serve();

    expect(server.starts).toHaveLength(1);
    expect(server.state()).toBe("ready");
  });

  it("has one deadline over connecting, initializing and listing, and says how to raise it", async () => {
    const server = rig({ connectTimeoutMs: 2_000 });
    server.send({ type: "start" });
    server.send({ type: "connection.opened" });
    server.pass(1_500);
    await server.initialize();

    server.pass(499);
    expect(server.state()).toBe("listing");
    server.pass(1);

    expect(server.state()).toBe("closing");
    expect(server.last()?.cause).toEqual({
      kind: "connect-timeout",
      message: 'server "Files": it was not ready within 2 s; if it needs longer, raise its connectTimeout',
    });
    expect(server.work.list[0]?.aborted).toBe(true);
  });

  it("takes the cause from an initialize or a list that fails", async () => {
    const server = rig();
    server.send({ type: "start" });
    server.send({ type: "connection.opened" });
    await server.work.initialize[0]?.fail(refusedWith(cause("version-mismatch")));

    expect(server.last()).toMatchObject({ to: "closing", cause: { kind: "version-mismatch" } });
    await server.reap();
    expect(server.state()).toBe("parked");

    const other = rig();
    other.send({ type: "start" });
    other.send({ type: "connection.opened" });
    await other.initialize();
    await other.work.list[0]?.fail(new Error("no list"));
    expect(other.last()?.cause).toEqual({ kind: "list-failed", message: 'server "Files": no list' });
  });
});

describe("a life with two reasons to end", () => {
  it.each([
    ["drops while it drains", (server: ReturnType<typeof rig>) => server.drop(crash)],
    ["loses its health while it drains", (server: ReturnType<typeof rig>) => server.drop(cause("unhealthy"))],
  ])("is told and judged by the first one when it %s", async (_, second) => {
    const server = rig();
    server.send({ type: "start" });
    await server.serve();
    server.pass(20_000);
    server.send({ type: "restart" });
    expect(server.last()).toMatchObject({ to: "draining", cause: { kind: "restart-requested" } });
    server.pass(3_000);

    second(server);
    expect(server.last()).toMatchObject({ to: "closing", cause: { kind: "restart-requested" } });
    await server.reap();

    expect(server.state()).toBe("connecting");
    expect(server.summary()).toMatchObject({ generation: 2, restarts: 0, lastError: undefined });
  });

  it("keeps the time of the first one", () => {
    const [first, second] = [cause("restart-requested"), crash];
    const once = {
      ...newContext({ id: "a", name: "A", plan }, 0),
      ...ending(newContext({ id: "a", name: "A", plan }, 0), first, 5),
    };

    expect(ending(once, second, 9)).toEqual({ ended: first, endedAt: 5, cause: first });
    expect(once).toMatchObject({ ended: first, endedAt: 5 });
  });
});

describe("a server that goes down", () => {
  it("waits for the next call when it was ready, and begins at once if it had been ready for 10 s", async () => {
    const server = rig();
    server.send({ type: "start" });
    await server.serve();
    server.pass(10_000);
    await server.die(crash);
    expect(server.state()).toBe("idle");
    expect(server.summary().lastError).toEqual(crash);

    server.send({ type: "wake" });

    expect(server.state()).toBe("connecting");
    expect(server.summary()).toMatchObject({ generation: 2, restarts: 1 });
  });

  it("lets a call wait for the back-off when it had been ready for less", async () => {
    const server = rig();
    server.send({ type: "start" });
    await server.serve();
    server.pass(9_999);
    await server.die(crash);

    server.send({ type: "wake" });
    server.send({ type: "wake" });
    expect(server.last()).toMatchObject({ to: "reconnecting", nextAttemptAt: server.clock.now() + 437 });
    server.pass(436);
    expect(server.state()).toBe("reconnecting");
    server.pass(1);

    expect(server.state()).toBe("connecting");
  });

  it("never begins before the old life is gone", async () => {
    const server = rig({ restart: "eager" });
    server.send({ type: "start" });
    await server.serve();
    server.pass(20_000);

    server.drop(crash);
    server.send({ type: "wake" });
    server.pass(20_000);
    expect(server.state()).toBe("closing");
    expect(server.live.now).toBe(0);
    await server.reap();

    expect(server.state()).toBe("connecting");
    expect(server.live.most).toBe(1);
  });

  it("keeps trying after a slow failed start, with growing gaps, and parks after five in a row", async () => {
    const server = rig({}, () => 0.99);
    server.send({ type: "start" });
    for (let tries = 1; tries <= 8 && server.state() !== "parked"; tries += 1) {
      server.pass(15_000);
      await server.die(cause("exited-before-ready", { exitCode: 1, stderrTail: ["no region"] }));
      server.pass((server.summary().nextAttemptAt ?? server.clock.now()) - server.clock.now());
    }

    expect(server.starts.map((at) => at - 1_000_000)).toEqual([0, 15_498, 31_495, 48_490, 67_480]);
    expect(server.last()?.cause).toEqual({
      kind: "gave-up",
      message:
        'server "Files": it failed 5 times in a row, the last time: server "Files": exited-before-ready',
      exitCode: 1,
      stderrTail: ["no region"],
    });
    server.pass(600_000);
    expect(server.starts).toHaveLength(5);
  });

  it.each([
    ["a process that ends at once", {}, "exited-before-ready"],
    ["an address that refuses", { remote: true }, "refused"],
  ] as const)("gets over an outage of any length: %s", async (_, given, kind) => {
    for (const outageMs of [1_000, 8_000, 120_000, 36_000_000]) {
      const server = rig({ ...given, restart: "lazy" });
      server.send({ type: "start" });
      const up = server.clock.now() + outageMs;
      while (server.clock.now() < up) {
        await server.die(cause(kind));
        expect(server.state()).toBe("reconnecting");
        const waitMs = server.summary().nextAttemptAt! - server.clock.now();
        // The next try is hardly further away than the outage has lasted, and never over 30 s.
        const lasted = server.clock.now() - 1_000_000;
        expect(waitMs).toBeLessThanOrEqual(Math.min(30_000, Math.max(1_000, 1.4 * lasted)));
        server.pass(waitMs);
      }
      expect(server.state()).toBe("connecting");
      expect(server.clock.now() - up).toBeLessThanOrEqual(Math.min(30_000, Math.max(1_000, 1.4 * outageMs)));
    }
  });
});

describe("orders to a living server", () => {
  it("makes one new life of ten restarts at the same time", async () => {
    const server = rig();
    server.send({ type: "start" });
    await server.serve();

    for (let i = 0; i < 10; i += 1) server.send({ type: "restart" });
    expect(server.state()).toBe("draining");
    expect(server.has("usable")).toBe(false);
    await server.work.drain[0]?.done();
    await server.reap();
    for (let i = 0; i < 10; i += 1) server.send({ type: "restart" });
    await server.serve();

    expect(server.starts).toHaveLength(2);
    expect(server.live).toEqual({ now: 1, most: 1 });
    expect(server.state()).toBe("ready");
  });

  it("ends a start that is under way when it is stopped, and nothing begins again", async () => {
    const server = rig();
    server.send({ type: "start" });

    server.send({ type: "stop" });
    expect(server.live.now).toBe(0);
    server.send({ type: "wake" });
    await server.reap();
    server.pass(600_000);

    expect(server.state()).toBe("retired");
    expect(server.starts).toHaveLength(1);
    expect(server.actor.getSnapshot().output).toEqual({ id: "files", survivors: [] });
  });

  it("drains and begins again with the new plan when it must be renewed", async () => {
    const server = rig();
    server.send({ type: "start" });
    await server.serve();

    server.send({ type: "configure", plan: { ...plan, connectTimeoutMs: 5 }, renew: true });
    server.pass(9_999);
    expect(server.state()).toBe("draining");
    server.pass(1);
    expect(server.state()).toBe("closing");
    await server.reap();

    expect(server.last()).toMatchObject({
      to: "connecting",
      generation: 2,
      cause: { kind: "config-changed" },
    });
  });
});
