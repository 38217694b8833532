import { describe, expect, it } from "vitest";
import { connect, fastClock, fixture, type Outcome, until } from "./httpHarness.js";

const echoed = (args: unknown): unknown => ({ content: [{ type: "text", text: JSON.stringify(args) }] });

describe("Streamable HTTP against servers with faults of the field", () => {
  it("C048: lets no request overtake the initialized notification", async () => {
    const { url } = await fixture("httpStrictInitialized.mjs");
    const peer = await connect(url);

    await peer.initialize();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => peer.call("echo", { n })));

    expect(outcomes.map(resultOf)).toEqual(Array.from({ length: 20 }, (_, n) => echoed({ n })));
  });

  it("C072, row 1: tells a lost session per request, and goes on after a new initialize without the old id", async () => {
    const server = await fixture("httpSessionExpires.mjs", [], { CASE_CALLS: "2" });
    const peer = await connect(server.url);
    await peer.initialize();

    const first = [await peer.call("echo", { n: 1 }), await peer.call("echo", { n: 2 })];
    const refused = await peer.call("echo", { n: 3 });
    await peer.initialize();
    const resent = await peer.call("echo", { n: 3 });

    expect(first.map(resultOf)).toEqual([echoed({ n: 1 }), echoed({ n: 2 })]);
    expect(refused.loss).toMatchObject({ sent: "no", cause: { kind: "session-lost", httpStatus: 404 } });
    expect(refused.loss?.error).toBeUndefined();
    expect(resultOf(resent)).toEqual(echoed({ n: 3 }));
    expect(await server.stats()).toEqual({ initialize: 2, initializeWithOldId: 0, calls: 3, refused: 1 });
    expect(peer.closed).toEqual([]);
  });

  it("C072, row 2: refuses each of the calls that run at that moment once", async () => {
    const server = await fixture("httpSessionExpires.mjs", [], { CASE_CALLS: "0" });
    const peer = await connect(server.url);
    await peer.initialize();

    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, n) => peer.call("echo", { n })));

    expect(outcomes.map((each) => each.loss?.cause.kind)).toEqual(Array(10).fill("session-lost"));
    expect(outcomes.map((each) => each.loss?.sent)).toEqual(Array(10).fill("no"));
    expect(await server.stats()).toMatchObject({ initialize: 1, calls: 0 });
  });

  it.each(["405", "404", "400", "text", "html"])(
    "C074, row 6: asks once for a stream when GET gives %s",
    async (get) => {
      const server = await fixture("httpGetVariants.mjs", [`--get=${get}`]);
      const peer = await connect(server.url, { clock: fastClock(100) });
      await peer.initialize();

      peer.transport.listen();
      await until(async () => (await server.stats())["gets"] === 1, "the first GET");
      const outcomes = [await peer.call("echo", { n: 1 }), await peer.call("echo", { n: 2 })];
      await new Promise((resolve) => setTimeout(resolve, 300));

      expect(outcomes.map(resultOf)).toEqual([echoed({ n: 1 }), echoed({ n: 2 })]);
      expect(await server.stats()).toEqual({ gets: 1 });
    },
  );

  it("C074: asks at most 4 times in 10 s, ever less often, when GET gives 500", async () => {
    const server = await fixture("httpGetVariants.mjs", ["--get=500"]);
    const waits: number[] = [];
    const clock = fastClock(50);
    const peer = await connect(server.url, {
      clock: {
        ...clock,
        setTimeout: (callback, delayMs) => {
          waits.push(delayMs);
          return clock.setTimeout(callback, delayMs);
        },
      },
    });

    peer.transport.listen();
    await until(async () => (await server.stats())["gets"] === 4, "four GETs");

    expect(waits.slice(0, 3)).toEqual([1000, 2000, 4000]);
    await until(() => waits.length === 4, "the wait before the fifth");
    expect(waits[3]).toBe(8000);
  });

  it.each(["1", "2", "5", "1000"])(
    "C075: reads every liberty of an event stream in pieces of %s bytes",
    async (chunk) => {
      const { url } = await fixture("httpStreamTorture.mjs", [], { CASE_CHUNK: chunk });
      const peer = await connect(url);

      await peer.initialize();
      const list = await peer.request("tools/list");
      const call = await peer.call("echo");

      expect(resultOf(list)).toMatchObject({ tools: [{ name: "echo" }] });
      expect(resultOf(call)).toEqual({ content: [{ type: "text", text: "naïve — 日本語 😀" }] });
      expect(peer.warnings).toEqual([]);
    },
  );

  it("C077: takes an answer that lacks only the blank line at the end", async () => {
    const { url } = await fixture("httpStreamUnfinished.mjs");
    const peer = await connect(url);

    expect(resultOf(await peer.call("echo", { n: 1 }))).toEqual(echoed({ n: 1 }));
  });

  it("C077: fails at once when the stream ends inside the answer", async () => {
    const { url } = await fixture("httpStreamUnfinished.mjs", ["--cut=half"]);
    const peer = await connect(url);

    expect((await peer.call("echo", { n: 1 })).loss).toEqual({
      sent: "yes",
      cause: { kind: "reset", message: 'server "fake": the stream ended without an answer' },
    });
  });

  it("C078: takes a broken stream up again and gets the answer with one GET", async () => {
    const server = await fixture("httpStreamDrops.mjs", ["--mode=resume"]);
    const peer = await connect(server.url);

    expect(resultOf(await peer.call("echo", { n: 1 }))).toEqual(echoed({ n: 1 }));
    expect(await server.stats()).toEqual({ runs: 1, resumes: 1 });
  });

  it.each(["lost", "never"])(
    "C078: fails a call whose stream is %s, without sending it again",
    async (mode) => {
      const server = await fixture("httpStreamDrops.mjs", [`--mode=${mode}`]);
      const peer = await connect(server.url);

      const { loss } = await peer.call("echo", { n: 1 });

      expect(loss).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
      expect(await server.stats()).toEqual({ runs: 1, resumes: mode === "lost" ? 1 : 0 });
    },
  );

  it.each(["202", "204", "200empty", "200null", "200json", "202json", "200sse"])(
    "C080, row 9: takes %s as an acknowledgement",
    async (ack) => {
      const { url } = await fixture("httpNotificationAcks.mjs", [`--ack=${ack}`]);
      const peer = await connect(url);

      await peer.initialize();
      const outcome = await peer.call("echo", { n: 1 });

      expect(resultOf(outcome)).toEqual(echoed({ n: 1 }));
      expect(peer.messages).toHaveLength(2);
      expect(peer.warnings).toEqual([]);
    },
  );

  it("C081: judges content types by their essence and shows at most 200 characters of a page", async () => {
    const { url } = await fixture("httpContentTypes.mjs");
    const peer = await connect(url);

    const names = ["charset", "upper", "none", "login", "gateway", "empty", "broken", "redirect", "charset"];
    const outcomes: Outcome[] = [];
    for (const name of names) outcomes.push(await peer.call(name, { n: 1 }));

    expect([0, 1, 2, 8].map((at) => resultOf(outcomes[at]))).toEqual(Array(4).fill(echoed({ n: 1 })));
    expect(outcomes.slice(3, 8).map((each) => each.loss?.cause.kind)).toEqual([
      "http-error",
      "server-error",
      "reset",
      "not-json",
      "redirected",
    ]);
    const messages = outcomes.slice(3, 8).map((each) => each.loss?.cause.message ?? "");
    expect(messages[0]).toMatch(
      /^server "fake" answered HTTP 200 \(text\/html\) at http:\/\/127\.0\.0\.1:\d+\/\S*: nope; expected/,
    );
    expect(messages[1]).toMatch(/^server "fake" answered HTTP 502 \(text\/html\) at \S+: [^<]*$/);
    expect(messages[2]).toBe('server "fake": the stream ended with HTTP 200 and no body');
    expect(messages[3]).toMatch(/^server "fake" answered HTTP 200 with an answer that is no JSON: /);
    expect(messages[4]).toMatch(
      /answered HTTP 302, a redirect of \S+ to http:\/\/127\.0\.0\.1:\d+\/\S* that is not followed/,
    );
    expect(Math.max(...messages.map((each) => each.length))).toBeLessThan(320);
  });

  it("C083, row 12: ends its session with DELETE", async () => {
    const server = await fixture("httpCountsSessions.mjs");
    const peer = await connect(server.url);
    await peer.initialize();
    expect(await server.stats()).toEqual({ open: 1, opened: 1, deleted: 0 });

    const end = await peer.transport.close();

    expect(end).toMatchObject({ survivors: [], forced: false });
    expect(await server.stats()).toEqual({ open: 0, opened: 1, deleted: 1 });
  });

  it("C083, row 12: takes a refused DELETE for an end", async () => {
    const server = await fixture("httpCountsSessions.mjs", ["--delete=405"]);
    const peer = await connect(server.url);
    await peer.initialize();

    expect(await peer.transport.close()).toMatchObject({ survivors: [], forced: false });
  });

  it("C083, row 12: does not wait long for a DELETE that is never answered", async () => {
    const server = await fixture("httpCountsSessions.mjs", ["--delete=hang"]);
    const peer = await connect(server.url, { closeTimeoutMs: 200 });
    await peer.initialize();

    expect(await peer.transport.close()).toMatchObject({ survivors: [], forced: true });
  });

  it("C084: fails bad calls one by one and serves the others", async () => {
    const server = await fixture("httpHangAndErrors.mjs");
    const peer = await connect(server.url);

    const hanging = peer.nextId;
    void peer.call("hang");
    void peer.call("stall");
    const bad = [
      await peer.call("e500"),
      await peer.call("e429"),
      await peer.call("e401"),
      await peer.call("reset"),
    ];
    const good = await peer.call("echo", { n: 1 });
    await until(async () => (await server.stats())["stall"] === 1, "the stalled call");
    peer.transport.abandon(hanging);
    peer.transport.abandon(hanging + 1);

    expect(bad.map((each) => [each.loss?.cause.kind, each.loss?.sent])).toEqual([
      ["server-error", "yes"],
      ["rate-limited", "no"],
      ["auth-required", "no"],
      ["reset", "unknown"],
    ]);
    expect(bad[1]?.loss?.cause.retryAfterMs).toBe(2000);
    expect(resultOf(good)).toEqual(echoed({ n: 1 }));
    expect(await server.stats()).toEqual({ hang: 1, stall: 1, e500: 1, e429: 1, e401: 1, reset: 1, echo: 1 });
    expect(peer.closed).toEqual([]);
  });
});

function resultOf(outcome: Outcome | undefined): unknown {
  return outcome?.answer?.["result"] ?? outcome;
}
