import { describe, expect, it } from "vitest";
import { eventually } from "../../support.js";
import { behind, modernEvents, rig } from "../rig.js";
import type { Json } from "../rig.js";
import { Upstream, said } from "../upstream.js";
import type { UpstreamKind } from "../upstream.js";

const whole = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
};
const subscription = "io.modelcontextprotocol/subscriptionId";
const ok = (kind: UpstreamKind) => (kind === "modern" ? { resultType: "complete" } : {});

function notes(kind: UpstreamKind): Upstream {
  return new Upstream(kind, whole)
    .list("resources", [{ uri: "note://1", name: "one" }])
    .list("resources/templates", [])
    .on("resources/subscribe", () => ok(kind))
    .on("resources/unsubscribe", () => ok(kind))
    .on("logging/setLevel", () => ({}));
}

/** A moment longer than what a burst of changes is gathered for. */
const settled = () => new Promise((done) => setTimeout(done, 400));

describe("obligations: notifications", () => {
  it("17: each consumer is told of what it sees, subscribed to or asked for, and of nothing else", async () => {
    const ups = {
      one: notes("stdio"),
      two: notes("http").list("resources", [{ uri: "note://2", name: "two" }]),
    };
    ups.one.on("tools/call", ({ notify }) => {
      notify("notifications/message", { level: "info", data: "mine" });
      return said("done");
    });
    const gate = await behind(ups);
    const scopes = { a: ["one"], b: ["two"], c: ["one", "two"] };
    const sessions = Object.fromEntries(
      await Promise.all(
        Object.entries(scopes).map(async ([name, servers]) => {
          const session = await gate.session(gate.consumer(name, { servers }));
          return [name, { session, stream: await session.stream() }] as const;
        }),
      ),
    );
    const { a, b, c } = sessions as Record<string, (typeof sessions)[string]>;
    await eventually(
      async () => (await c!.session.ask(1, "resources/list"))["result"].resources.length === 2,
      "both",
    );
    await settled();
    const start = Object.values(sessions).map(({ stream }) => stream.messages.length);
    const told = () =>
      Object.values(sessions).map(({ stream }, at) =>
        stream.messages.slice(start[at]).map((each) => each["method"]),
      );

    ups.one.tools([{ name: "run" }, { name: "more" }]);
    ups.one.tell("notifications/tools/list_changed");
    await eventually(() => told()[2]!.length === 1, "the change at c");
    await settled();
    expect(told()).toEqual([["notifications/tools/list_changed"], [], ["notifications/tools/list_changed"]]);

    expect(await a!.session.ask(2, "resources/subscribe", { uri: "note://1" })).toMatchObject({ result: {} });
    await b!.session.ask(2, "resources/subscribe", { uri: "note://1" });
    expect(ups.one.calls("resources/subscribe")).toHaveLength(1);
    ups.one.tell("notifications/resources/updated", { uri: "note://1" });
    await eventually(() => told()[0]!.length === 2, "the update at a");
    await settled();
    expect(told().map((each) => each.filter((method) => method?.includes("updated")).length)).toEqual([
      1, 0, 0,
    ]);

    const stream = await c!.session.open(3, "tools/call", { name: "one__run" });
    await stream.answer();
    expect(stream.told("notifications/message")).toHaveLength(1);
    expect(
      told()
        .flat()
        .filter((method) => method === "notifications/message"),
    ).toEqual([]);
    for (const each of Object.values(sessions)) each.stream.cut();
  });

  it("18: a thousand changes in a burst are a few notifications, and none when the list reads as before", async () => {
    const { rig: gate, fakes } = await rig([{ id: "up", tools: ["a"] }]);
    const session = await gate.session(gate.consumer("a", { expose: "all" }));
    const stream = await session.stream();
    const start = Date.now();
    for (let at = 0; at < 1000; at++) fakes["up"]?.offer(["a", `t${at}`]);
    await eventually(
      () => stream.messages.length > 0 && gate.supervisor.tools().some((each) => each.tool === "t999"),
      "the change",
    );
    await settled();
    const bursts = Math.ceil((Date.now() - start) / 100);
    expect(stream.messages.length).toBeLessThanOrEqual(bursts);

    const before = stream.messages.length;
    const known = await (await session.send({ id: 1, method: "tools/list" })).text();
    for (let at = 0; at < 50; at++) fakes["up"]?.offer(["a", "t999"]);
    await settled();
    expect(await (await session.send({ id: 1, method: "tools/list" })).text()).toBe(known);
    expect(stream.messages).toHaveLength(before);
    stream.cut();
  });

  it("19: one subscription upstream for all who watch, ended by the last, and made anew with one update each", async () => {
    const up = notes("stdio");
    const gate = await behind({ up }, {}, {}, { restart: "eager" });
    const sessions = await Promise.all(["a", "b", "c"].map((name) => gate.session(gate.consumer(name))));
    const streams = await Promise.all(sessions.map((each) => each.stream()));
    await eventually(
      async () => (await sessions[0]!.ask(1, "resources/list"))["result"].resources.length === 1,
      "it",
    );
    await Promise.all(sessions.map((each) => each.ask(2, "resources/subscribe", { uri: "note://1" })));
    expect(up.calls("resources/subscribe")).toHaveLength(1);

    const updates = () => streams.map((each) => each.told("notifications/resources/updated").length);
    up.crash();
    await eventually(() => up.lives === 2 && updates().every((each) => each === 1), "one update each");
    await settled();
    expect(updates()).toEqual([1, 1, 1]);
    expect(up.calls("resources/subscribe")).toHaveLength(2);

    await sessions[0]!.ask(3, "resources/unsubscribe", { uri: "note://1" });
    await sessions[1]!.other("DELETE");
    expect(up.calls("resources/unsubscribe")).toHaveLength(0);
    gate.gateway.consumers.remove("c");
    await eventually(() => up.calls("resources/unsubscribe").length === 1, "the end of the subscription");
    for (const each of streams) each.cut();
  });

  it("20: listen acknowledges first, honours what it can, marks everything, and ends with a result", async () => {
    const up = notes("http");
    const gate = await behind({ up });
    const token = gate.consumer("a");
    const params = {
      notifications: {
        toolsListChanged: true,
        resourceSubscriptions: ["note://1", "none://x"],
        promptsListChanged: false,
        made: 1,
      },
    };
    const open = (id: Json[string]) =>
      modernEvents(`${gate.url}/mcp`, token, id, "subscriptions/listen", params);
    const session = await gate.session(token);
    await eventually(
      async () => (await session.ask(1, "resources/list"))["result"].resources.length === 1,
      "it",
    );
    const stream = await open("sub");
    await eventually(() => stream.messages.length > 0, "the acknowledgement");
    up.tools([{ name: "other" }]);
    up.tell("notifications/tools/list_changed");
    up.tell("notifications/resources/updated", { uri: "note://1" });
    await stream.next((each) => each["method"] === "notifications/tools/list_changed");
    await stream.next((each) => each["method"] === "notifications/resources/updated");

    expect(stream.messages[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true } },
    });
    for (const each of stream.messages) expect(each["params"]._meta[subscription]).toBe("sub");
    const kinds = new Set(stream.messages.map((each) => each["method"]));
    expect(kinds.has("notifications/prompts/list_changed")).toBe(false);

    const other = await open(7);
    await eventually(() => other.messages.length > 0, "the acknowledgement");
    other.cut();
    await eventually(() => gate.gateway.figures().answers === 1, "the cut stream is forgotten");
    gate.gateway.stop();
    expect(await stream.answer()).toMatchObject({ id: "sub", result: { resultType: "complete" } });
    await eventually(() => up.calls("resources/unsubscribe").length === 2, "the end upstream");
  });
});
