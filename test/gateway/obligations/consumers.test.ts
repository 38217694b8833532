import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest, Fact } from "../../../src/index.js";
import { openGateway } from "../../../src/gateway/index.js";
import { eventually, running, temporaryFolder } from "../../support.js";
import { behind, modern, modernEvents, post, answer, rig } from "../rig.js";
import type { Json } from "../rig.js";
import { Upstream, said } from "../upstream.js";

const call = { name: "up__run", arguments: {} };
const never = () => new Promise(() => undefined);
const echo = { id: "up", tools: ["run"] };

describe("obligations: consumers", () => {
  it("6: two hundred consumers that die leave no call, session, stream, question or watcher", async () => {
    const heard = new Set<number>();
    const up = new Upstream("stdio", { tools: {}, resources: { subscribe: true } })
      .list("resources", [{ uri: "note://1", name: "one" }])
      .on("resources/subscribe", () => ({}))
      .on("resources/unsubscribe", () => ({}))
      .on("tools/call", ({ params }) => (heard.add(params["arguments"].nth as number), never()));
    const gate = await behind({ up });
    const token = gate.consumer("a", { limits: { perMinute: 1_000_000, sessions: 1000, streams: 1000 } });
    const ready = await gate.session(token);
    await eventually(
      async () => (await ready.ask(1, "resources/list"))["result"].resources.length === 1,
      "it",
    );
    await ready.other("DELETE");
    const cycle = async (nth: number): Promise<void> => {
      const session = await gate.session(token);
      await session.ask(1, "resources/subscribe", { uri: "note://1" });
      const stream = await session.stream();
      const open = session.open(2, "tools/call", { ...call, arguments: { nth } });
      await eventually(() => heard.has(nth), "the call upstream");
      if (nth % 2 === 0) await session.other("DELETE");
      else (await open).cut();
      stream.cut();
      if (nth % 2 === 1) await session.other("DELETE");
      await open.catch(() => undefined);
    };
    for (let from = 0; from < 200; from += 8)
      await Promise.all(Array.from({ length: 8 }, (_, at) => cycle(from + at)));
    await eventually(() => gate.gateway.figures().answers === 0, "no answer open");
    expect(gate.gateway.figures()).toEqual({ sessions: 0, answers: 0, parked: 0, watchers: 0 });
    await eventually(() => up.open.size === 0, "all calls are cancelled upstream");
    expect(gate.gateway.consumers.list()[0]).toMatchObject({
      inFlight: 0,
      sessions: 0,
      streams: 0,
      parked: 0,
    });
  });

  it("8: a server that dies in 64 calls of three consumers gives each one outcome, and others go on", async () => {
    const ups = { up: new Upstream("stdio").on("tools/call", never), other: new Upstream("http") };
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    ups.other.on("tools/call", async () => (await released, said("went on")));
    const gate = await behind(ups, {}, {}, { limits: { inFlight: 100 } });
    const sessions = await Promise.all(["a", "b", "c"].map((name) => gate.session(gate.consumer(name))));
    const calls = Array.from({ length: 64 }, (_, at) => sessions[at % 3]!.ask(at, "tools/call", call));
    const others = sessions.map((session) => session.ask("other", "tools/call", { name: "other__run" }));
    await eventually(() => ups.up.open.size > 0 && ups.other.open.size === 3, "the calls upstream");
    ups.up.crash();
    const outcomes = await Promise.all(calls);

    expect(outcomes.map((each) => each["id"])).toEqual(outcomes.map((_, at) => at));
    const sent = outcomes.filter((each) => /unknown|may have/i.test(String(each["result"]?.content[0].text)));
    expect(outcomes.every((each) => each["result"].isError === true)).toBe(true);
    expect(sent.length).toBeGreaterThan(0);
    release?.();
    for (const each of await Promise.all(others)) expect(each["result"].content[0].text).toBe("went on");
  });

  it.each(["revoked", "narrowed", "rotated"])(
    "10: a %s consumer's session, streams and calls end at once",
    async (how) => {
      const up = new Upstream("stdio").on("tools/call", never);
      const gate = await behind({ up });
      const token = gate.consumer("a");
      const session = await gate.session(token);
      const streams = [
        await session.stream(),
        await modernEvents(`${gate.url}/mcp`, token, "l", "subscriptions/listen", {
          notifications: { toolsListChanged: true },
        }),
      ];
      const pending = [
        session.open(1, "tools/call", call),
        modernEvents(`${gate.url}/mcp`, token, 1, "tools/call", call),
      ];
      await eventually(() => up.open.size === 2, "both calls upstream");
      const { consumers } = gate.gateway;
      if (how === "revoked") consumers.remove("a");
      else if (how === "narrowed") consumers.add("a", { servers: ["none"] });
      else consumers.rotate("a");
      await eventually(() => up.cancelled.length === 2, "both are cancelled upstream");
      await Promise.all(streams.map((each) => each.over));
      for (const each of await Promise.all(pending)) {
        await each.over;
        expect(each.messages.filter((message) => "result" in message)).toEqual([]);
      }
      expect(gate.gateway.figures().sessions).toBe(0);
      const status = (await session.send({ id: 2, method: "ping" })).status;
      expect(status).toBe(how === "narrowed" ? 404 : 401);
    },
  );

  it("12: mode and approvals are each consumer's own, and the question names it", async () => {
    const asked: ApprovalRequest[] = [];
    const approve = (request: ApprovalRequest) => (asked.push(request), "allow-for-session" as const);
    const { rig: gate } = await rig([{ ...echo, config: { trusted: true } }], {}, { approve });
    const [free, a, b] = await Promise.all(
      Object.entries({ free: "allow-trusted", a: "ask", b: "ask" } as const).map(([name, mode]) =>
        gate.session(gate.consumer(name, { mode })),
      ),
    );
    const run = async (session: typeof free) =>
      (await session!.ask(1, "tools/call", call))["result"].isError ?? false;

    expect(await run(free)).toBe(false);
    expect(asked).toEqual([]);
    for (const session of [a, a, b, b]) expect(await run(session)).toBe(false);
    expect(asked.map((each) => [each.consumer, each.tool])).toEqual([
      ["a", "run"],
      ["b", "run"],
    ]);
  });

  it("34: the token is in no file, log line, fact or list, and counts in the header only", async () => {
    const home = temporaryFolder();
    const supervisor = await running([], { home, consumers: true });
    const facts: Fact[] = [];
    supervisor.events$.subscribe((fact) => facts.push(fact));
    const gateway = await openGateway(supervisor, { home });
    const added = gateway.consumers.add("a", {});
    const token = "token" in added ? (added.token ?? "") : "";
    expect(Buffer.from(token.slice(5), "base64url")).toHaveLength(32);
    const bearer = (authorization?: string, url = "/mcp") =>
      gateway.owns(url) && authorization !== undefined ? authorization : "";
    expect(bearer(`Bearer ${token}`)).toContain(token);
    await gateway.close();
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), "utf8");
      expect([file.name, text.includes(token), text.includes(token.slice(5))]).toEqual([
        file.name,
        false,
        false,
      ]);
    }
    expect(JSON.stringify([facts, gateway.consumers.list()])).not.toContain(token.slice(5));
    const { rig: gate } = await rig([echo]);
    const own = gate.consumer("a");
    for (const url of [
      `${gate.url}/mcp?token=${own}`,
      `${gate.url}/mcp?access_token=${own}`,
      `${gate.url}/mcp?authorization=Bearer%20${own}`,
    ])
      expect((await post(url, undefined, { id: 1, method: "ping" })).status).toBe(401);
  });

  it("34: a token that expired is void, and what it had open ends", async () => {
    const { rig: gate } = await rig([echo]);
    const added = gate.gateway.consumers.add("a", {}, Date.now() + 300);
    const token = "token" in added ? (added.token ?? "") : "";
    const session = await gate.session(token);
    const stream = await session.stream();
    await eventually(
      async () => (await session.send({ id: 1, method: "ping" })).status === 401,
      "it is void",
    );
    gate.gateway.consumers.sweep();
    await stream.over;
    expect(gate.gateway.figures().sessions).toBe(0);
  });

  it("36: a greedy consumer is refused by its own limits, and the modest one is served", async () => {
    const open: (() => void)[] = [];
    const up = new Upstream("http").on("tools/call", ({ params }) =>
      params["arguments"].wait === true
        ? new Promise((done) => open.push(() => done(said("late"))))
        : said("now"),
    );
    const gate = await behind({ up });
    const greedy = gate.consumer("greedy", { limits: { inFlight: 4, sessions: 1, streams: 1 } });
    const modest = gate.consumer("modest");
    const wait = { ...call, arguments: { wait: true } };
    const pending = Array.from({ length: 4 }, (_, at) =>
      modern(`${gate.url}/mcp`, greedy, at, "tools/call", wait),
    );
    await eventually(() => open.length === 4, "four at work");

    const refused = await modern(`${gate.url}/mcp`, greedy, 5, "tools/call", wait);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await answer(refused))["error"]).toMatchObject({
      code: -32_000,
      data: { what: "inFlight", retryAfterMs: expect.any(Number) },
    });
    expect(
      (await answer(await modern(`${gate.url}/mcp`, modest, 1, "tools/call", call)))["result"].content[0]
        .text,
    ).toBe("now");
    for (const done of open) done();
    await Promise.all(pending.map(async (each) => answer(await each)));

    const session = await gate.session(greedy);
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    expect((await post(`${gate.url}/mcp`, greedy, { id: 1, method: "initialize", params })).status).toBe(429);
    const stream = await session.stream();
    expect((await session.other("GET")).status).toBe(429);
    stream.cut();
  });

  it("36: the rate of a minute is a bucket, and what is over it says when to come back", async () => {
    const { rig: gate } = await rig([echo]);
    const token = gate.consumer("a", { limits: { perMinute: 5 } });
    const answers: Json[] = [];
    for (let at = 0; at < 7; at++)
      answers.push(await answer(await modern(`${gate.url}/mcp`, token, at, "tools/list")));
    expect(answers.filter((each) => "result" in each).length).toBe(5);
    expect(answers.at(-1)?.["error"].data).toMatchObject({ what: "perMinute" });
    expect(answers.at(-1)?.["error"].data.retryAfterMs).toBeLessThanOrEqual(12_000);
  });

  it("37: facts of a call carry consumer, session, and host with its version", async () => {
    const { rig: gate } = await rig([echo]);
    const facts: Fact[] = [];
    gate.supervisor.events$.subscribe((fact) => facts.push(fact));
    const session = await gate.session(gate.consumer("claude"));
    await session.ask(1, "tools/call", { name: "up__run", arguments: { password: "s3cret" } });
    await modern(`${gate.url}/mcp`, gate.consumer("new"), 1, "tools/call", call).then((each) => each.text());
    const told = facts.filter((each) => each.type.startsWith("mcp.call."));

    for (const type of ["mcp.call.started", "mcp.call.settled"]) {
      const [first, second] = told.filter((each) => each.type === type);
      expect(first).toMatchObject({
        consumer: "claude",
        session: expect.stringMatching(/^[\w-]{12}$/),
        host: "by-hand 1",
      });
      expect(second).toMatchObject({ consumer: "new", host: "modern-hand 1" });
    }
    expect(JSON.stringify(facts)).not.toContain("s3cret");
  });
});
