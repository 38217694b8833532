import { describe, expect, it } from "vitest";
import { cause, plan, refusedWith, rig } from "./rig.js";

const renewed = { type: "configure", plan: { ...plan, overlaps: true }, renew: true } as const;

/** A server in service whose connection may have another one beside it. */
async function serving() {
  const server = rig({ overlaps: true });
  server.send({ type: "start" });
  await server.serve();
  server.told.length = 0;
  return server;
}

describe("a server that may have two lives", () => {
  it.each([
    ["a restart", { type: "restart" }, "restart-requested"],
    ["a change of its connection", renewed, "config-changed"],
  ] as const)("is in service all the time over %s", async (_, order, kind) => {
    const server = await serving();

    server.send(order);
    expect(server.has("usable")).toBe(true);
    await server.work.clear[0]!.done();
    expect(server.has("usable")).toBe(true);
    await server.succeed();

    expect(
      server.told.map(
        (each) => each.type === "state" && [each.from, each.to, each.cause.kind, each.generation],
      ),
    ).toEqual([
      ["ready", "replacing", kind, 1],
      ["replacing", "ready", "replaced", 2],
    ]);
    expect(server.work.successor.map(({ input }) => input)).toEqual([{ id: "files", generation: 2 }]);
    expect(server.work.drainReplaced.map(({ input }) => input)).toEqual([
      { id: "files", generation: 1, drainMs: 10_000 },
    ]);
    expect(server.work.reap).toHaveLength(0);
    expect(server.summary()).toMatchObject({ state: "ready", generation: 2, tools: 5, restarts: 0 });
    expect([server.live.now, server.live.most]).toEqual([1, 1]);
  });

  it("begins no third life while the first one takes leave", async () => {
    const server = await serving();
    server.send({ type: "restart" });
    await server.work.clear[0]!.done();
    await server.succeed();

    server.send({ type: "restart" });
    server.pass(9_000);

    expect(server.work.clear.map(({ input }) => input)).toEqual([
      { id: "files", generation: 1 },
      { id: "files", generation: 2 },
    ]);
    expect(server.work.successor).toHaveLength(1);
    await server.work.clear[1]!.done();
    await server.succeed();
    expect(server.summary()).toMatchObject({ state: "ready", generation: 3 });
  });

  it("goes on as before when the new life fails, and says why and what to do", async () => {
    const server = await serving();
    server.send({ type: "restart" });
    await server.work.clear[0]!.done();

    await server.work.successor[0]!.fail(
      refusedWith(
        cause("auth-required", { message: 'server "Files": wants authorization', httpStatus: 401 }),
      ),
    );

    expect(server.last()).toMatchObject({ from: "replacing", to: "ready", generation: 1 });
    expect(server.last()?.cause).toEqual({
      kind: "auth-required",
      httpStatus: 401,
      message:
        'server "Files": its new life did not come up, and the one before goes on serving: wants authorization; ' +
        "mend that, then restart it or change its entry to try again",
    });
    expect(server.summary()).toMatchObject({ state: "ready", restarts: 0, lastError: { httpStatus: 401 } });
    expect(server.work.drainReplaced).toHaveLength(0);
    expect(server.live.now).toBe(1);
    server.send({ type: "restart" });
    await server.work.clear[1]!.done();
    await server.succeed();
    // The number of the life that came to nothing is not given again.
    expect(server.summary().generation).toBe(3);
  });

  it("gives the new life up after the connect limit, and aborts what it does", async () => {
    const server = await serving();
    server.send({ type: "restart" });
    await server.work.clear[0]!.done();

    server.pass(20_000);

    expect(server.last()).toMatchObject({ to: "ready", generation: 1, cause: { kind: "connect-timeout" } });
    expect(server.work.successor[0]!.aborted).toBe(true);
  });

  it("gives up waiting for a life that does not end", async () => {
    const server = await serving();
    server.send({ type: "restart" });

    server.pass(40_000);

    expect(server.last()).toMatchObject({ to: "ready", generation: 1, cause: { kind: "stuck" } });
    expect(server.work.successor).toHaveLength(0);
  });

  it("joins restarts, and begins another new life when the entry changes again", async () => {
    const server = await serving();
    server.send(renewed);
    await server.work.clear[0]!.done();
    server.send({ type: "restart" });
    expect(server.work.successor).toHaveLength(1);

    server.send(renewed);
    expect(server.work.successor[0]!.aborted).toBe(true);
    await server.work.clear[1]!.done();
    await server.succeed();

    expect(server.path()).toEqual(["replacing", "ready"]);
    expect(server.summary()).toMatchObject({ state: "ready", generation: 3 });
  });

  it("begins a new life at once when the old one ends before the new one is ready", async () => {
    const server = await serving();
    server.send({ type: "restart" });
    await server.work.clear[0]!.done();

    await server.die(cause("refused"));

    expect(server.work.successor[0]!.aborted).toBe(true);
    expect(server.path()).toEqual(["replacing", "closing", "deciding", "connecting"]);
    expect(server.summary()).toMatchObject({ generation: 3 });
  });

  it("lists its tools again when the hand-over that fails has broken a walk off", async () => {
    const server = await serving();
    server.send({ type: "tools.changed" });
    server.pass(1_000);
    expect(server.state()).toBe("refreshing");
    server.send({ type: "restart" });
    expect(server.work.list[1]!.aborted).toBe(true);
    await server.work.clear[0]!.done();

    await server.work.successor[0]!.fail(refusedWith(cause("refused")));
    expect(server.state()).toBe("ready");
    server.pass(10_000);

    expect(server.state()).toBe("refreshing");
  });

  it("keeps no gap-free way where the new configuration is a process, or the life in service has a session", async () => {
    const toProcess = await serving();
    toProcess.send({ type: "configure", plan: { ...plan, overlaps: false }, renew: true });
    expect(toProcess.state()).toBe("draining");

    const withSession = rig({ overlaps: true });
    withSession.send({ type: "start" });
    withSession.send({ type: "connection.opened" });
    await withSession.work.initialize[0]!.done({
      protocolVersion: "2025-11-25",
      server: { name: "files", version: "1" },
      overlaps: false,
    });
    await withSession.list();
    withSession.send({ type: "restart" });
    expect(withSession.state()).toBe("draining");
  });

  it.each([
    ["stop", "closing"],
    ["disconnect", "closing"],
    ["retire", "draining"],
  ] as const)("gives up the new life on %s", async (type, state) => {
    const server = await serving();
    server.send({ type: "restart" });
    await server.work.clear[0]!.done();

    server.send({ type });

    expect(server.state()).toBe(state);
    expect(server.work.successor[0]!.aborted).toBe(true);
  });
});
