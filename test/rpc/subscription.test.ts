import { describe, expect, it } from "vitest";
import { modernCodec } from "../../src/protocol/modernCodec.js";
import { Subscription } from "../../src/rpc/subscription.js";
import { openRig, turn } from "./rig.js";

const modern = modernCodec("2026-07-28", { info: { name: "host", version: "1" }, capabilities: {} });
const subscriptionId = "io.modelcontextprotocol/subscriptionId";

async function begin(filter: object = { toolsListChanged: true }) {
  const rig = await openRig({}, modern);
  const listening: boolean[] = [];
  const told: string[] = [];
  const subscription = new Subscription(rig.channel, {
    clock: rig.clock,
    deadlines: rig.deadlines,
    filter,
    onListening: (again) => void listening.push(again),
    onWarning: (message) => void told.push(message),
  });
  return {
    ...rig,
    subscription,
    listening,
    told,
    asks: () => rig.got.filter(({ method }) => method === "subscriptions/listen"),
    /** The server acknowledges the listen request of this id. */
    acknowledge: (id: unknown, notifications: unknown = { toolsListChanged: true }) =>
      subscription.notified("notifications/subscriptions/acknowledged", {
        notifications,
        _meta: { [subscriptionId]: id },
      }),
  };
}

describe("a subscription", () => {
  it("listens from its acknowledgement on, and says the second time that something may have been missed", async () => {
    const rig = await begin();
    rig.subscription.start();
    await turn();
    expect(rig.asks().map(({ id, params }) => [id, params?.["notifications"]])).toEqual([
      [1, { toolsListChanged: true }],
    ]);
    expect([rig.subscription.isListening, rig.listening]).toEqual([false, []]);

    expect(rig.acknowledge(1)).toBe(true);
    expect(rig.acknowledge(1)).toBe(true);
    expect([rig.subscription.isListening, rig.listening, rig.told, rig.deadlines.size]).toEqual([
      true,
      [false],
      [],
      0,
    ]);
    // There is no limit on silence.
    rig.clock.advance(3_600_000);
    await turn();
    expect(rig.asks()).toHaveLength(1);

    rig.answer(1);
    await turn();
    expect(rig.subscription.isListening).toBe(false);
    rig.clock.advance(999);
    await turn();
    expect(rig.asks()).toHaveLength(1);
    rig.clock.advance(1);
    await turn();
    expect(rig.asks().map(({ id }) => id)).toEqual([1, 2]);
    expect([rig.acknowledge("2"), rig.listening]).toEqual([true, [false, true]]);
  });

  it("that is not acknowledged within 10 s is given up and asked for again", async () => {
    const rig = await begin();
    rig.subscription.start();
    rig.clock.advance(9_999);
    await turn();
    expect(rig.channel.pending).toBe(1);
    rig.clock.advance(1);
    await turn();
    expect([rig.channel.pending, rig.abandoned]).toEqual([0, [1]]);
    rig.clock.advance(1_000);
    await turn();

    expect(rig.asks()).toHaveLength(2);
  });

  it("is opened again after 1, 2, 4 … 30 s, and after 1 s again once it was acknowledged", async () => {
    const rig = await begin();
    rig.subscription.start();
    const waits: number[] = [];
    for (let id = 1; id <= 8; id++) {
      await turn();
      rig.refuse(id, -32_000);
      await turn();
      const before = rig.clock.now();
      while (rig.channel.pending === 0) rig.clock.advance(100);
      waits.push(rig.clock.now() - before);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);

    rig.acknowledge(9);
    await turn();
    rig.answer(9);
    await turn();
    rig.clock.advance(1000);
    await turn();
    expect(rig.asks()).toHaveLength(10);
  });

  it("says which changes the server will not tell of", async () => {
    const rig = await begin({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
    rig.subscription.start();
    rig.acknowledge(1, { toolsListChanged: true, promptsListChanged: false });
    expect(rig.told).toEqual([
      "the server will not tell about promptsListChanged, resourcesListChanged; changes show with the next list",
    ]);

    const none = await begin();
    none.subscription.start();
    none.acknowledge(1, "yes");
    expect(none.told).toEqual([
      "the server will not tell about toolsListChanged; changes show with the next list",
    ]);
    expect(none.listening).toEqual([false]);
  });

  it.each([
    ["knows no such method", -32_601, 1],
    ["takes no such params", -32_602, 1],
    ["fails otherwise", -32_603, 2],
  ])("of a server that %s (%i) is asked for so often: %i", async (_, code, asks) => {
    const rig = await begin();
    rig.subscription.start();
    await turn();
    rig.refuse(1, code);
    await turn();
    rig.clock.advance(1000);
    await turn();

    expect(rig.asks()).toHaveLength(asks);
    expect(rig.told).toHaveLength(2 - asks);
    expect(rig.deadlines.size).toBe(asks - 1);
  });

  it.each([
    ["http-error", 1],
    ["reset", 2],
  ] as const)("that is lost by %s is asked for so often: %i", async (kind, asks) => {
    const rig = await begin();
    rig.subscription.start();
    await turn();
    rig.server.lose(1, { sent: "yes", cause: { kind, message: "m" } });
    await turn();
    rig.clock.advance(1000);
    await turn();

    expect(rig.asks()).toHaveLength(asks);
  });

  it("that the server ends in its own way is opened again; what names another request is not about it", async () => {
    const rig = await begin();
    expect(rig.subscription.notified("notifications/cancelled", { requestId: 0 })).toBe(false);
    rig.subscription.start();
    rig.acknowledge(1);
    for (const params of [{ requestId: 9 }, null, { requestId: "1" }])
      expect(rig.subscription.notified("notifications/cancelled", params)).toBe(false);
    for (const id of [2, undefined, "01"]) expect(rig.acknowledge(id)).toBe(false);
    expect(rig.subscription.notified("notifications/subscriptions/acknowledged", null)).toBe(false);
    expect(
      rig.subscription.notified("notifications/tools/list_changed", { _meta: { [subscriptionId]: 1 } }),
    ).toBe(false);
    expect(rig.subscription.isListening).toBe(true);

    expect(rig.subscription.notified("notifications/cancelled", { requestId: 1 })).toBe(true);
    expect([rig.subscription.isListening, rig.channel.pending, rig.deadlines.size]).toEqual([false, 0, 1]);
    await turn();
    expect(rig.got.filter(({ method }) => method === "notifications/cancelled")).toEqual([]);
    rig.clock.advance(1000);
    await turn();
    expect(rig.asks()).toHaveLength(2);
  });

  it("asks for other changes at once, and takes nothing more for what it asked before", async () => {
    const rig = await begin();
    rig.subscription.start();
    rig.acknowledge(1);
    rig.subscription.change({ promptsListChanged: true });
    await turn();

    expect(rig.asks().map(({ params }) => params?.["notifications"])).toEqual([
      { toolsListChanged: true },
      { promptsListChanged: true },
    ]);
    expect([rig.abandoned, rig.channel.pending]).toEqual([[1], 1]);
    expect([rig.acknowledge(1), rig.subscription.isListening]).toEqual([false, false]);
    expect([rig.acknowledge(2, { promptsListChanged: true }), rig.listening]).toEqual([true, [false, true]]);
  });

  it("asks no more once it is stopped, or the conversation is over, and leaves nothing behind", async () => {
    const stopped = await begin();
    stopped.subscription.start();
    stopped.subscription.stop();
    expect([stopped.channel.pending, stopped.deadlines.size, stopped.abandoned]).toEqual([0, 0, [1]]);
    stopped.subscription.start();
    const waiting = await begin();
    waiting.subscription.start();
    await turn();
    waiting.answer(1);
    await turn();
    expect(waiting.deadlines.size).toBe(1);
    waiting.subscription.stop();
    expect(waiting.deadlines.size).toBe(0);
    const over = await begin();
    over.subscription.start();
    over.channel.end({ kind: "crashed", message: "m" });
    over.subscription.start();
    for (const rig of [stopped, waiting, over]) {
      rig.clock.advance(60_000);
      await turn();
      expect([rig.asks().length, rig.deadlines.size, rig.channel.pending]).toEqual([1, 0, 0]);
    }
  });

  it("that cannot be sent is tried again", async () => {
    const rig = await begin();
    rig.server.refuse({ kind: "overloaded", message: "full" } as never);
    rig.subscription.start();
    expect([rig.channel.pending, rig.deadlines.size]).toEqual([0, 1]);
    rig.server.refuse(undefined);
    rig.clock.advance(1000);
    await turn();

    expect(rig.asks()).toHaveLength(1);
  });
});
