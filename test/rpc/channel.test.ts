import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ConnectError } from "../../src/errors.js";
import { modernCodec } from "../../src/protocol/modernCodec.js";
import type { Reply } from "../../src/rpc/pending.js";
import { request } from "../../src/rpc/request.js";
import { call, openRig, turn } from "./rig.js";

const identity = { info: { name: "test", version: "1" }, capabilities: {} };
const modern = modernCodec("2026-07-28", identity);
const broken = { kind: "crashed", message: "it ended" } as const;

describe("an answer", () => {
  it("settles the request of its id, once, and leaves nothing open", async () => {
    const { channel, answer, kinds } = await openRig();
    const [one, two] = [call(), call()];
    channel.send(one);
    channel.send(two);
    expect([one.id, two.id, channel.pending, [...channel.requests()]]).toEqual([1, 2, 2, [one, two]]);

    answer(2, "second");
    answer(1, "first");
    await turn();

    expect([one.replies, two.replies]).toEqual([
      [{ kind: "result", id: 1, result: "first" }],
      [{ kind: "result", id: 2, result: "second" }],
    ]);
    expect([channel.pending, channel.heard, kinds()]).toEqual([0, 2, []]);
  });

  it.each([
    ["1", true],
    ["01", false],
    [" 1", false],
    ["1.0", false],
    ["0", false],
    ["-1", false],
    ["1e0", false],
    ["12345678901234567", false],
  ])("with the id as text %j means the open request: %s", async (id, isTaken) => {
    const { channel, answer, kinds } = await openRig();
    const open = call();
    channel.send(open);

    answer(id);
    await turn();

    expect(open.replies.length).toBe(isTaken ? 1 : 0);
    expect([channel.pending, kinds()]).toEqual([isTaken ? 0 : 1, [isTaken ? "string-ids" : "unknown-id"]]);
  });

  it("to a request that was given up is late and no fault, once; to one that never was is a fault", async () => {
    const { channel, answer, kinds, abandoned } = await openRig();
    const open = call();
    channel.send(open);
    channel.giveUp(open, "timeout", true);
    channel.giveUp(open, "timeout", true);

    answer(1);
    await turn();
    expect([kinds(), abandoned, open.replies]).toEqual([[], [1], []]);
    answer(1);
    answer(7);
    await turn();

    expect(kinds()).toEqual(["unknown-id", "unknown-id"]);
  });

  it("to the 256 that were given up last is known as late, to the one before them no longer", async () => {
    const { channel, answer, warnings } = await openRig();
    const calls = Array.from({ length: 257 }, () => call());
    for (const each of calls) channel.send(each);
    for (const each of calls) channel.giveUp(each, "", false);

    answer(2);
    answer(257);
    await turn();
    expect(warnings).toEqual([]);
    answer(1);
    await turn();

    expect(warnings).toEqual([["unknown-id", "answers with an unknown id arrived (last: 1)"]]);
  });

  it("without an id is the error of the only open request, whoever else listens", async () => {
    const { channel, refuse, kinds } = await openRig();
    const [listening, open, other] = [call([], "subscriptions/listen"), call(), call()];
    channel.send(listening);
    channel.send(open);
    refuse(null, -32_700, "unreadable");
    await turn();

    expect(open.replies).toEqual([{ kind: "error", error: { code: -32_700, message: "unreadable" } }]);
    expect([listening.replies, channel.pending, kinds()]).toEqual([[], 1, ["error-without-id"]]);
    channel.send(other);
    const third = call();
    channel.send(third);
    refuse(null, -32_700);
    await turn();
    expect([other.replies, third.replies, channel.pending]).toEqual([[], [], 3]);
  });

  it("that is no JSON-RPC is told and is no sign of life", async () => {
    const { channel, server, kinds } = await openRig();

    for (const odd of [null, 7, [], { id: 1, result: {} }, { jsonrpc: "2.0", id: true, result: {} }])
      server.send(odd);
    await turn();

    expect([kinds(), channel.heard]).toEqual([Array.from({ length: 5 }, () => "odd-message"), 0]);
  });
});

describe("a request that is given up", () => {
  it.each([
    ["an older server is told", undefined, {}, 1],
    ["a modern one over stdio is told", modern, { kind: "stdio" as const }, 1],
    ["a modern one elsewhere sees its exchange end", modern, {}, 0],
  ])("%s", async (_, codec, transport, told) => {
    const { channel, got, abandoned } = await openRig({}, codec, transport);
    const open = call();
    channel.send(open);

    channel.giveUp(open, "enough", true);
    await turn();

    const notes = got.filter(({ method }) => method === "notifications/cancelled");
    expect(notes.map(({ params }) => params)).toEqual(told === 0 ? [] : [{ requestId: 1, reason: "enough" }]);
    expect(abandoned).toEqual([1]);
  });

  it("is not told of where nobody is to be told, nor once the conversation is over", async () => {
    const { channel, got, abandoned } = await openRig();
    const [quiet, late] = [call(), call()];
    channel.send(quiet);
    channel.send(late);
    channel.giveUp(quiet, "", false);
    channel.end(broken);
    channel.giveUp(late, "", true);
    await turn();

    expect(got.filter(({ method }) => method === "notifications/cancelled")).toEqual([]);
    expect(abandoned).toEqual([1]);
  });
});

describe("the end of a conversation", () => {
  it("loses every open request with what is known of its way, tells its owner once, and takes nothing more", async () => {
    const { channel, server, closed } = await openRig();
    const [delivered, held] = [call(), call()];
    channel.send(delivered);
    await turn();
    server.hold();
    channel.send(held);

    server.close(broken);
    await turn();

    expect(delivered.replies).toEqual([{ kind: "lost", sent: "yes", cause: broken }]);
    expect(held.replies).toEqual([{ kind: "lost", sent: "no", cause: broken }]);
    expect([closed, channel.open, channel.pending]).toEqual([[broken], false, 0]);
    channel.end(broken);
    expect([closed, delivered.replies.length]).toEqual([[broken], 1]);
    expect(channel.send(call())).toMatchObject({ kind: "stdin-closed" });
    expect(channel.pending).toBe(0);
  });

  it("from our side counts what had not left for certain as unknown", async () => {
    const { channel, closed } = await openRig({}, undefined, {
      deliveredUpTo: () => 5,
      send: () => (sends += 5),
    });
    let sends = 0;
    const [first, second] = [call(), call()];
    channel.send(first);
    channel.send(second);

    channel.end(broken);

    expect([first, second].map(({ replies }) => replies[0])).toMatchObject([
      { sent: "yes" },
      { sent: "unknown" },
    ]);
    expect(closed).toEqual([]);
  });

  it("leaves the request that the transport refused with nobody waiting", async () => {
    const { channel, server } = await openRig();
    const refused = { kind: "overloaded", message: "full" } as never;
    server.refuse(refused);

    expect(channel.send(call())).toBe(refused);
    expect(channel.pending).toBe(0);
  });
});

const lost = (sent: "no" | "yes" | "unknown", kind = "session-lost") =>
  ({ sent, cause: { kind, message: "gone" } }) as never;

describe("a loss of one request", () => {
  it("is told as it is", async () => {
    const { channel, server, kinds } = await openRig();
    const open = call();
    channel.send(open);

    server.lose(1, lost("unknown", "reset"));
    server.lose(9, lost("unknown", "reset"));
    await turn();

    expect(open.replies).toEqual([{ kind: "lost", ...(lost("unknown", "reset") as object) }]);
    expect([channel.pending, kinds()]).toEqual([0, []]);
  });

  it("with the error of the server is that error", async () => {
    const { channel, server } = await openRig();
    const open = call();
    channel.send(open);
    const error = { code: -1, message: "no file" };

    server.lose(1, { sent: "yes", cause: broken, error });
    await turn();

    expect(open.replies).toEqual([{ kind: "error", error }]);
  });

  it("over a lost session is sent again once, under a new id, when the session is new", async () => {
    let renewals = 0;
    const renewed: ((cause: undefined) => void)[] = [];
    const renewSession = (): Promise<undefined> => {
      renewals++;
      return new Promise((resolve) => renewed.push(resolve));
    };
    const { channel, server, answer, got } = await openRig({ renewSession });
    const [one, two] = [call(), call()];
    channel.send(one);
    channel.send(two);
    server.lose(1, lost("no"));
    server.lose(2, lost("no"));
    await turn();
    expect([renewals, channel.pending, got.length]).toEqual([1, 0, 2]);

    renewed[0]?.(undefined);
    await turn();
    expect([one.id, two.id, channel.pending]).toEqual([3, 4, 2]);
    answer(3, "at last");
    server.lose(4, lost("no"));
    await turn();

    expect(one.replies).toEqual([{ kind: "result", id: 3, result: "at last" }]);
    expect(two.replies).toEqual([{ kind: "lost", ...(lost("no") as object) }]);
    const three = call();
    channel.send(three);
    server.lose(three.id, lost("no"));
    await turn();
    expect(renewals).toBe(2);
  });

  it("over a session that somebody has renewed already is sent again at once", async () => {
    let renewals = 0;
    const { channel, server } = await openRig({ renewSession: async () => void renewals++ });
    const open = call();
    channel.send(open);

    server.lose(1, { ...(lost("no") as object), superseded: true } as never);
    await turn();

    expect([renewals, open.id, channel.pending]).toEqual([0, 2, 1]);
  });

  it.each([
    ["that may have arrived", "unknown", "tools/call", "session-lost"],
    ["of initialize", "no", "initialize", "session-lost"],
    ["for another reason", "no", "tools/call", "forbidden"],
  ] as const)("%s is not sent again", async (_, sent, method, kind) => {
    const { channel, server, got } = await openRig();
    const open = call([], method);
    channel.send(open);

    server.lose(1, lost(sent, kind));
    await turn();

    expect([open.replies.length, got.length]).toEqual([1, 1]);
  });

  it("is refused when no new session can be had, or the conversation is over by then", async () => {
    const cause = { kind: "refused", message: "no" } as const;
    const failing = await openRig({ renewSession: async () => cause });
    const open = call();
    failing.channel.send(open);
    failing.server.lose(1, lost("no"));
    await turn();
    expect(open.replies).toEqual([{ kind: "refused", cause }]);

    const renewed: ((none: undefined) => void)[] = [];
    const ending = await openRig({ renewSession: () => new Promise((resolve) => renewed.push(resolve)) });
    const late = call();
    ending.channel.send(late);
    ending.server.lose(1, lost("no"));
    await turn();
    ending.channel.end(broken);
    renewed[0]?.(undefined);
    await turn();
    expect(late.replies).toMatchObject([{ kind: "refused", cause: { kind: "session-lost" } }]);
  });
});

describe("a request of the server", () => {
  it("is answered: ping by itself, what its owner knows, and what nobody knows", async () => {
    const { server, got } = await openRig({
      onRequest: (method) =>
        method === "roots/list"
          ? Promise.resolve({ result: { roots: [] } })
          : method === "broken"
            ? Promise.reject(new Error("secret"))
            : undefined,
    });

    for (const [id, method] of [
      ["a", "ping"],
      ["b", "roots/list"],
      ["c", "broken"],
      ["d", "x"],
    ] as const)
      server.send({ jsonrpc: "2.0", id, method });
    await turn();

    const answers = Object.fromEntries(got.map(({ id, result, error }) => [id, result ?? error?.code]));
    expect(answers).toEqual({ a: {}, b: { roots: [] }, c: -32_603, d: -32_601 });
    expect(JSON.stringify(got)).not.toContain("secret");
  });

  it("is not answered in a revision that forbids it, nor when the conversation is over", async () => {
    const modernRig = await openRig({}, modern);
    modernRig.server.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await turn();
    expect([modernRig.got, modernRig.kinds()]).toEqual([[], ["server-request"]]);

    const answered: ((body: { result: unknown }) => void)[] = [];
    const { channel, server, got } = await openRig({
      onRequest: () => new Promise((resolve) => answered.push(resolve)),
    });
    server.send({ jsonrpc: "2.0", id: 1, method: "roots/list" });
    await turn();
    channel.end(broken);
    answered[0]?.({ result: {} });
    await turn();
    expect(got).toEqual([]);
  });

  it("and its notifications name the open request on whose stream they came", async () => {
    const about: unknown[] = [];
    const { channel, notifications } = await openRig({
      onRequest: (_method, _params, _id, pending) => {
        about.push(pending?.id);
        return undefined;
      },
    });
    channel.send(call());
    const wire = channel as unknown as { onMessage(value: unknown, on?: unknown): void };

    wire.onMessage({ jsonrpc: "2.0", id: 1, method: "roots/list" }, 1);
    wire.onMessage({ jsonrpc: "2.0", id: 2, method: "roots/list" }, 9);
    wire.onMessage({ jsonrpc: "2.0", method: "notifications/message", params: { a: 1 } }, 1);
    wire.onMessage({ jsonrpc: "2.0", method: "notifications/message" });

    expect(about).toEqual([1, undefined]);
    expect(notifications).toEqual([
      ["notifications/message", { a: 1 }, 1],
      ["notifications/message", undefined, undefined],
    ]);
  });
});

const note = (progressToken: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, progress: 1 },
});

describe("progress of a task", () => {
  it("goes on under the id of the answered request, for the 256 that were followed last", async () => {
    const { channel, server, answer } = await openRig();
    const told: number[] = [];
    const calls = Array.from({ length: 257 }, (_, at) => ({
      ...call(),
      progress: () => void told.push(at + 1),
    }));
    for (const each of calls) channel.send(each);
    for (const each of calls) answer(each.id);
    await turn();
    for (const each of calls) channel.follow(each);

    for (const id of [1, 2, 257, 258]) server.send(note(id));
    await turn();

    expect(told).toEqual([2, 257]);
  });
});

const openOne = async () => {
  const rig = await openRig();
  const controller = new AbortController();
  const replies: Reply[] = [];
  const ask = (more: object = {}) => {
    const options = { dueAt: 1500, deadlines: rig.deadlines, signal: controller.signal, ...more };
    void request(rig.channel, "tools/list", undefined, options).then((reply) => replies.push(reply));
  };
  return { ...rig, controller, replies, ask };
};

describe("one request", () => {
  it("leaves no deadline and no listener behind, however it ends", async () => {
    const { ask, controller, deadlines, channel, answer, refuse, clock, replies, server } = await openOne();
    const ends = [
      () => answer(1),
      () => refuse(2, -1),
      () => server.lose(3, { sent: "yes", cause: broken }),
      () => clock.advance(600),
      () => controller.abort("enough"),
    ];
    for (const end of ends) {
      ask({ dueAt: clock.now() + 500 });
      expect([deadlines.size, getEventListeners(controller.signal, "abort").length]).toEqual([1, 1]);
      end();
      await turn();
      expect([deadlines.size, getEventListeners(controller.signal, "abort").length, channel.pending]).toEqual(
        [0, 0, 0],
      );
    }
    server.refuse(broken);
    ask({ signal: undefined });
    await turn();

    expect(replies.map(({ kind }) => kind)).toEqual([
      "result",
      "error",
      "lost",
      "timeout",
      "cancelled",
      "refused",
    ]);
    expect([deadlines.size, channel.pending]).toEqual([0, 0]);
  });

  it("ends at its deadline and not before, and tells the server unless it must not", async () => {
    const { ask, clock, replies, got } = await openOne();
    ask();
    ask({ cancellable: false });
    clock.advance(499);
    await turn();
    expect(replies).toEqual([]);
    clock.advance(1);
    await turn();

    expect(replies).toEqual([
      { kind: "timeout", total: false },
      { kind: "timeout", total: false },
    ]);
    expect(
      got.filter(({ method }) => method === "notifications/cancelled").map(({ params }) => params),
    ).toEqual([{ requestId: 1, reason: "timeout" }]);
  });

  it("that is cancelled tells the server unless it must not, and one cancelled before sends nothing", async () => {
    const { ask, controller, replies, got, deadlines } = await openOne();
    ask();
    ask({ cancellable: false });
    controller.abort("enough");
    ask();
    await turn();

    expect(replies).toEqual(Array.from({ length: 3 }, () => ({ kind: "cancelled", reason: "enough" })));
    expect(got.map(({ method, params }) => params?.["requestId"] ?? method)).toEqual([
      "tools/list",
      "tools/list",
      1,
    ]);
    expect(deadlines.size).toBe(0);
  });

  it("asks for progress only where somebody listens, and passes it on", async () => {
    const { ask, server, got } = await openOne();
    const notes: unknown[] = [];
    ask({ onProgress: (each: unknown) => void notes.push(each) });
    ask();
    await turn();
    server.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 1, progress: 3 },
    });
    await turn();

    expect(got.map(({ params }) => params)).toEqual([{ _meta: { progressToken: 1 } }, undefined]);
    expect(notes).toEqual([{ progress: 3 }]);
  });

  it("carries the header of its name in a modern conversation only", async () => {
    const abouts: unknown[] = [];
    for (const codec of [undefined, modern]) {
      const { channel, deadlines } = await openRig({}, codec, { send: (_text, about) => abouts.push(about) });
      void request(channel, "resources/read", { uri: "a:b" }, { dueAt: 1500, deadlines });
    }

    expect(abouts).toEqual([
      { method: "resources/read", id: 1 },
      { method: "resources/read", id: 1, headers: { "mcp-name": "a:b" } },
    ]);
  });
});

it("a transport that cannot be opened rejects with its reason", async () => {
  const error = new ConnectError(broken);

  await expect(openRig({}, undefined, { open: () => Promise.reject(error) })).rejects.toBe(error);
});
