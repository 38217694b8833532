import { describe, expect, it } from "vitest";
import type { Cause } from "../../src/errors.js";
import type { ServerPlan } from "../../src/machines/contract.js";
import { wakeable } from "../../src/machines/summary.js";
import { cause, plan, rig } from "./rig.js";

const crash = cause("crashed", { exitCode: 1 });
type Rig = ReturnType<typeof rig>;

async function ready(given: Partial<ServerPlan> = {}): Promise<Rig> {
  const server = rig(given);
  server.send({ type: "start" });
  await server.serve();
  return server;
}

/** Parked by a cause that no retry mends. */
async function parked(
  given: Partial<ServerPlan> = {},
  why: Cause = cause("command-not-found"),
): Promise<Rig> {
  const server = rig(given);
  server.send(given.lazy ? { type: "wake" } : { type: "start" });
  await server.die(why);
  return server;
}

/** Parked by five ends that may pass. */
async function gaveUp(restart: ServerPlan["restart"]): Promise<Rig> {
  const server = rig({ restart });
  server.send({ type: "start" });
  for (const waitMs of [437, 875, 1_750, 3_500]) {
    await server.die(crash);
    server.pass(waitMs);
  }
  await server.die(crash);
  return server;
}

const sees = (server: Rig) => wakeable(server.actor.getSnapshot(), server.clock.now());

describe("a parked server", () => {
  it("refuses a call for 30 s and says when to come again, then takes one try for all callers", async () => {
    const server = await parked();
    server.pass(29_999);
    expect(sees(server)).toMatchObject({ kind: "refused", retryAfterMs: 1 });
    server.send({ type: "wake" });
    expect(server.refusals()).toMatchObject([
      { order: "wake", cause: { kind: "command-not-found" }, retryAfterMs: 1 },
    ]);

    server.pass(1);
    expect(sees(server)).toEqual({ kind: "wait" });
    for (let i = 0; i < 10; i += 1) server.send({ type: "wake" });

    expect(server.starts).toHaveLength(2);
    expect(sees(server)).toEqual({ kind: "wait" });
  });

  it("is parked again when its one try fails, whatever the cause", async () => {
    const server = await parked();
    server.pass(30_000);
    server.send({ type: "wake" });

    await server.die(crash);

    expect(server.last()).toMatchObject({ to: "parked", cause: { kind: "crashed", exitCode: 1 } });
  });

  it("takes few starts when it is called all the time: at most 8 in 60 s, never one at once after another", async () => {
    const server = rig({ lazy: true });
    for (let second = 0; second < 240; second += 1) {
      server.send({ type: "wake" });
      for (let tick = 0; tick < 10; tick += 1) {
        if (server.state() === "connecting") await server.die(crash);
        server.pass(100);
      }
    }

    for (const from of server.starts) {
      expect(server.starts.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(8);
    }
    expect(server.starts.length).toBeGreaterThan(8);
  });

  it("tries by itself every 5 min when it is eager and the cause may pass, and not otherwise", async () => {
    const eager = await gaveUp("eager");
    expect(eager.summary().nextAttemptAt).toBe(eager.clock.now() + 300_000);
    eager.pass(299_999);
    expect(eager.state()).toBe("parked");
    eager.pass(1);
    expect(eager.last()).toMatchObject({ to: "connecting", cause: { kind: "probe" } });

    for (const server of [await gaveUp("lazy"), await parked({ restart: "eager" })]) {
      server.pass(3_600_000);
      expect(server.state()).toBe("parked");
      expect(server.summary().nextAttemptAt).toBeUndefined();
    }
  });

  it("begins at once, with nothing held against it, when a person connects it", async () => {
    const server = await parked();

    server.send({ type: "connect" });

    expect(server.state()).toBe("connecting");
    expect(server.summary().restarts).toBe(0);
  });

  it("begins again after a change of its configuration", async () => {
    const server = await parked();

    server.send({ type: "configure", plan: { ...plan, connectTimeoutMs: 60_000 }, renew: false });

    expect(server.last()).toMatchObject({ to: "connecting", cause: { kind: "config-changed" } });
  });

  it("cannot be begun by anybody while its plan holds it back", () => {
    const held = cause("approval-needed");
    const server = rig({ held });
    expect(server.last()).toMatchObject({ to: "parked", cause: held });

    for (const type of ["start", "wake", "connect", "restart"] as const) server.send({ type });
    server.pass(3_600_000);

    expect(server.starts).toEqual([]);
    expect(server.refusals().map((each) => each.type === "refused" && each.order)).toEqual([
      "wake",
      "connect",
      "restart",
    ]);
    server.send({ type: "configure", plan, renew: true });
    expect(server.state()).toBe("connecting");
  });
});

describe("the way of restarts", () => {
  it("eager comes back by itself, lazy waits, never parks", async () => {
    const states: string[] = [];
    for (const restart of ["eager", "lazy", "never"] as const) {
      const server = await ready({ restart });
      await server.die(crash);
      states.push(server.state());
    }

    expect(states).toEqual(["reconnecting", "idle", "parked"]);
  });

  it("forgets old ends after 60 s in service with a proven session, also when the proof comes later", async () => {
    const server = await ready({ restart: "eager" });
    await server.die(crash);
    server.pass(437);
    await server.serve();
    server.pass(60_000);
    expect(server.summary().restarts).toBe(1);

    server.send({ type: "session.proven", at: server.clock.now() });
    expect(server.summary().restarts).toBe(0);

    const early = await ready({ restart: "eager" });
    await early.die(crash);
    early.pass(437);
    await early.serve();
    early.send({ type: "session.proven", at: early.clock.now() });
    early.pass(59_999);
    expect(early.summary().restarts).toBe(1);
    early.pass(1);
    expect(early.summary().restarts).toBe(0);
  });

  it("gives up on a server that dies soon after each handshake, however often it was ready", async () => {
    const server = await ready({ restart: "eager" });
    for (let lives = 1; lives < 8; lives += 1) {
      server.pass(300);
      await server.die(crash);
      if (server.state() === "parked") break;
      server.pass((server.summary().nextAttemptAt ?? server.clock.now()) - server.clock.now());
      await server.serve();
    }

    expect(server.starts).toHaveLength(5);
    expect(server.last()).toMatchObject({ to: "parked", cause: { kind: "gave-up", exitCode: 1 } });
  });

  it("waits as long as a rate limit says", async () => {
    const server = rig();
    server.send({ type: "start" });
    await server.die(cause("rate-limited", { httpStatus: 429, retryAfterMs: 42_000 }));

    server.pass(41_999);
    expect(server.state()).toBe("reconnecting");
    server.pass(1);

    expect(server.state()).toBe("connecting");
  });

  it("ends a life that lost its health, and counts it", async () => {
    const server = await ready();

    server.send({ type: "health.failed", cause: cause("unhealthy") });
    await server.reap();

    expect(server.state()).toBe("idle");
    expect(server.summary()).toMatchObject({ restarts: 1, lastError: { kind: "unhealthy" } });
  });
});

describe("rests and renewals", () => {
  it("rests after its idle time and does not hold that against it", async () => {
    const server = await ready({ idleTimeoutMs: 60_000 });
    server.send({ type: "idle.expired" });
    await server.reap();
    expect(server.last()).toMatchObject({ to: "idle", cause: { kind: "idle" } });

    server.send({ type: "wake" });

    expect(server.state()).toBe("connecting");
    expect(server.summary()).toMatchObject({ restarts: 0, lastError: undefined });
  });

  it("begins again for a call that comes while it closes for idleness", async () => {
    const server = await ready({ idleTimeoutMs: 60_000 });
    server.send({ type: "idle.expired" });
    server.send({ type: "wake" });

    await server.reap();

    expect(server.state()).toBe("connecting");
  });

  it("rests after a disconnect until a call comes", async () => {
    const server = await ready({ restart: "eager" });
    server.send({ type: "disconnect" });
    await server.reap();
    server.pass(600_000);
    expect(server.state()).toBe("idle");

    server.send({ type: "wake" });

    expect(server.state()).toBe("connecting");
  });

  it("drains and renews a life at its maximum age", async () => {
    const server = await ready({ maxLifetimeMs: 3_600_000 });
    server.pass(3_599_999);
    expect(server.state()).toBe("ready");
    server.pass(1);
    expect(server.state()).toBe("draining");
    await server.work.drain[0]?.done();
    await server.reap();

    expect(server.last()).toMatchObject({ to: "connecting", generation: 2, cause: { kind: "max-lifetime" } });
  });

  it("closes and rests as disabled when it is switched off, and begins when it is switched on", async () => {
    const server = await ready();
    server.send({ type: "configure", plan: { ...plan, enabled: false }, renew: true });
    await server.reap();
    expect(server.state()).toBe("disabled");
    server.send({ type: "wake" });
    expect(server.state()).toBe("disabled");

    server.send({ type: "configure", plan, renew: true });

    expect(server.last()).toMatchObject({ to: "connecting", generation: 2 });
  });

  it("does not take back a removal, whatever comes while it drains", async () => {
    const server = await ready();
    server.send({ type: "retire" });
    for (const type of ["wake", "restart", "connect", "disconnect"] as const) server.send({ type });

    await server.reap();

    expect(server.state()).toBe("retired");
  });
});

describe("a life that does not end", () => {
  it("is stuck with its processes named, looks again each minute, and starts nothing meanwhile", async () => {
    const server = await ready({ restart: "eager" });
    server.drop(crash);
    await server.reap([12, 13]);
    expect(server.last()?.cause).toEqual({
      kind: "stuck",
      message: 'server "Files": process 12, 13 could not be ended; no new one starts until it is gone',
    });
    server.send({ type: "wake" });
    server.pass(59_999);
    expect(server.state()).toBe("stuck");
    server.pass(1);
    expect(server.state()).toBe("closing");
    await server.reap([13]);
    server.pass(60_000);
    expect(server.starts).toHaveLength(1);

    await server.reap();

    expect(server.summary()).toMatchObject({ state: "reconnecting", survivors: [] });
  });

  it("is stuck as well when the reap fails, or takes longer than 30 s", async () => {
    const failing = await ready();
    failing.drop(crash);
    await failing.work.reap[0]?.fail(new Error("no /proc"));
    expect(failing.state()).toBe("stuck");

    const hanging = await ready();
    hanging.drop(crash);
    hanging.pass(30_000);
    expect(hanging.state()).toBe("stuck");
  });

  it("does not keep a stopping supervisor: what is left is named", async () => {
    const server = await ready();
    server.drop(crash);
    await server.reap([12]);

    server.send({ type: "stop" });
    await server.reap([12]);

    expect(server.actor.getSnapshot().output).toEqual({ id: "files", survivors: [12] });
  });
});

describe("listing again", () => {
  it("walks once more when the list changes before the first walk is answered", async () => {
    const server = rig();
    server.send({ type: "start" });
    server.send({ type: "connection.opened" });
    await server.initialize();
    server.send({ type: "tools.changed" });
    await server.list();
    expect(server.state()).toBe("ready");

    server.pass(250);

    expect(server.state()).toBe("refreshing");
  });

  it("makes one walk of a burst, stays in service, and one more for a change during the walk", async () => {
    const server = await ready();
    for (let i = 0; i < 500; i += 1) server.send({ type: "tools.changed" });
    server.pass(249);
    expect(server.state()).toBe("ready");
    server.pass(1);
    expect(server.state()).toBe("refreshing");
    expect(server.has("usable")).toBe(true);
    for (let i = 0; i < 500; i += 1) server.send({ type: "tools.changed" });
    await server.list(4, "b");
    expect(server.state()).toBe("ready");
    server.pass(500);
    await server.list(5, "c");
    server.pass(600_000);

    expect(server.work.list).toHaveLength(3);
    expect(server.summary().tools).toBe(5);
  });

  it("walks at most 12 times in 10 s for a server that changes with each walk, fewer later, and says so once", async () => {
    const server = await ready();
    const walks: number[] = [];
    const begun = server.clock.now();
    for (let ms = 0; ms < 60_000; ms += 50) {
      server.send({ type: "tools.changed" });
      if (server.state() === "refreshing") {
        walks.push(server.clock.now() - begun);
        await server.list(3, String(ms));
      }
      server.pass(50);
    }

    expect(walks.filter((at) => at < 10_000).length).toBeLessThanOrEqual(11);
    expect(walks.filter((at) => at >= 50_000).length).toBeLessThanOrEqual(2);
    expect(server.notes()).toEqual([
      'server "Files": its tool list changes too often; it is now read at most every 4 s',
    ]);
  });

  it("keeps the old list when a walk fails or hangs, tries three times more, and never ends the life", async () => {
    const server = await ready({ connectTimeoutMs: 2_000 });
    server.send({ type: "tools.changed" });
    server.pass(250);
    await server.work.list[1]?.fail(new Error("busy"));
    server.pass(500);
    server.pass(2_000);
    expect(server.state()).toBe("ready");
    for (const waitMs of [1_000, 2_000]) {
      server.pass(waitMs);
      await server.work.list.at(-1)?.fail(new Error("busy"));
    }
    server.pass(600_000);

    expect(server.work.list).toHaveLength(5);
    expect(server.summary()).toMatchObject({ state: "ready", tools: 3, generation: 1 });
    expect(server.notes()).toHaveLength(4);
  });
});
