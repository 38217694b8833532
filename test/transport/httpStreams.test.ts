import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/clock.js";
import { connect, eventOf, fastClock, json, resultFor, type Seen, serve, sse, until } from "./httpHarness.js";

const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

describe("the stream that answers a request", () => {
  it("delivers what comes before the answer, and takes the answer before the stream ends", async () => {
    const server = await serve(({ message }, response) => {
      const note = '{"jsonrpc":"2.0","method":"notifications/progress"}';
      sse(response, `: hi\n\ndata: ${note}\n\nevent: vendor/x\ndata: {}\n\ndata:\n\n${eventOf(message)}`);
    });
    const peer = await connect(server.url, { clock: fastClock(10) });

    expect((await peer.call("echo")).answer?.["result"]).toEqual({ ok: true });
    expect(peer.messages.map((each) => each["method"])).toEqual(["notifications/progress", undefined]);
    await until(() => server.seen[0]?.socket.destroyed === true, "the stream that never ends to be left");
  });

  it("row 4: fails at once when the stream ends without an answer and without ids", async () => {
    const server = await serve((_seen, response) => sse(response, ": nothing\n\n").end());
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss).toEqual({
      sent: "yes",
      cause: { kind: "reset", message: 'server "fake": the stream ended without an answer' },
    });
    expect(server.seen).toHaveLength(1);
  });

  it("row 5: waits as long as each stream's own retry says and names each stream's own last id", async () => {
    const retry: Record<string, number> = { a: 300, b: 700 };
    const asked: Record<string, Seen> = {};
    const server = await serve((seen, response) => {
      const { message, headers, method } = seen;
      if (method === "POST") {
        const { name } = message["params"] as { name: string };
        asked[name] = seen;
        return sse(response, `id: ${name}-1\nretry: ${retry[name]}\ndata:\n\n`).end();
      }
      const name = String(headers["last-event-id"]).slice(0, 1);
      return sse(response, eventOf(asked[name]?.message ?? {}, { name })).end();
    });
    const waits: number[] = [];
    const peer = await connect(server.url, { clock: watching(fastClock(10), waits) });

    const outcomes = await Promise.all([peer.call("a"), peer.call("b")]);

    expect(outcomes.map((each) => each.answer?.["result"])).toEqual([{ name: "a" }, { name: "b" }]);
    expect(server.seen.slice(2).map(({ method, headers }) => [method, headers["last-event-id"]])).toEqual([
      ["GET", "a-1"],
      ["GET", "b-1"],
    ]);
    expect(waits.filter((ms) => ms === 300 || ms === 700)).toEqual([300, 700]);
  });

  it("row 5: stops when an error answers the request", async () => {
    const server = await serve(({ message }, response) => {
      const error = JSON.stringify({
        jsonrpc: "2.0",
        id: message["id"],
        error: { code: -32000, message: "no" },
      });
      sse(response, `id: 1\nretry: 0\ndata: ${error}\n\n`).end();
    });
    const peer = await connect(server.url, { clock: fastClock(10) });

    expect((await peer.call("echo")).answer?.["error"]).toEqual({ code: -32000, message: "no" });
    await peer.call("echo");
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  it("follows a stream that is cut again and again as long as it moves on", async () => {
    let first: Record<string, unknown> = {};
    const server = await serve(({ method, message, headers }, response) => {
      if (method === "POST") {
        first = message;
        return sse(response, "id: 0\nretry: 50\ndata:\n\n").end();
      }
      const at = Number(headers["last-event-id"]);
      return sse(response, at === 9 ? eventOf(first) : `id: ${at + 1}\ndata:\n\n`).end();
    });
    const peer = await connect(server.url, { clock: fastClock(20) });

    expect((await peer.call("echo")).answer?.["result"]).toEqual({ ok: true });
    expect(server.seen).toHaveLength(11);
  });

  it("gives up after 5 attempts in a row that bring nothing new", async () => {
    const server = await serve(({ method }, response) =>
      method === "POST" ? sse(response, "id: 1\ndata:\n\n").end() : sse(response, "id: 1\ndata:\n\n").end(),
    );
    const waits: number[] = [];
    const peer = await connect(server.url, { clock: watching(fastClock(200), waits) });

    expect((await peer.call("echo")).loss).toEqual({
      sent: "yes",
      cause: {
        kind: "reset",
        message: 'server "fake": the stream ended without an answer, also after 5 attempts to resume it',
      },
    });
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  it("goes on resuming over passing failures", async () => {
    let posted: Record<string, unknown> = {};
    const server = await serve(({ method, message, socket }, response) => {
      const gets = server.seen.filter((each) => each.method === "GET").length;
      if (method === "POST") {
        posted = message;
        return sse(response, "id: 1\ndata:\n\n").end();
      }
      if (gets === 1) return response.writeHead(503).end();
      if (gets <= 3) return void socket.destroy();
      return sse(response, eventOf(posted)).end();
    });
    const peer = await connect(server.url, { clock: fastClock(100) });

    expect((await peer.call("echo")).answer?.["result"]).toEqual({ ok: true });
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("never moves its place to an event that was cut off", async () => {
    let posted: Record<string, unknown> = {};
    const server = await serve(({ method, message }, response) => {
      if (method === "GET") return sse(response, eventOf(posted)).end();
      posted = message;
      return sse(response, 'id: 1\ndata:\n\nid: 2\ndata: {"jsonrpc":').end();
    });
    const peer = await connect(server.url, { clock: fastClock(100) });

    await peer.call("echo");

    expect(server.seen[1]?.headers["last-event-id"]).toBe("1");
  });

  it("stops resuming a request that was abandoned", async () => {
    const server = await serve(({ method }, response) =>
      method === "POST" ? sse(response, "id: 1\nretry: 400\ndata:\n\n").end() : undefined,
    );
    const peer = await connect(server.url, { clock: fastClock(4) });
    void peer.call("echo");
    await until(() => server.seen.length === 2, "the first attempt");

    peer.transport.abandon(1);

    await until(() => server.seen[1]?.socket.destroyed === true, "the end of the attempt");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(server.seen).toHaveLength(2);
  });

  it("does not resume in 2026-07-28, whatever ids the stream carried", async () => {
    const server = await serve((_seen, response) => sse(response, "id: 1\nretry: 1\ndata:\n\n").end());
    const peer = await connect(server.url);
    peer.transport.agreed("2026-07-28");

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
    expect(server.seen).toHaveLength(1);
  });

  it("tells once that a stream carries data that is no JSON", async () => {
    const server = await serve(({ message }, response) =>
      sse(response, `data: what\n\ndata: {\n\n${eventOf(message)}`).end(),
    );
    const peer = await connect(server.url);

    await peer.call("echo");
    const outcome = await peer.call("echo");

    expect(outcome.answer?.["result"]).toEqual({ ok: true });
    expect(peer.warnings).toEqual([
      'stream-noise: server "fake": the event stream carries data that is no JSON',
    ]);
  });
});

describe("the listening stream", () => {
  it("delivers what the server says by itself", async () => {
    const server = await serve(({ method }, response) =>
      method === "GET" ? sse(response, `data: ${changed}\n\n`) : false,
    );
    const peer = await connect(server.url);

    peer.transport.listen();
    await until(() => peer.messages.length === 1, "the notification");

    expect(peer.messages).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
  });

  it.each([405, 404, 406, 501, 400, 401])(
    "row 6: asks once when GET is answered with HTTP %i",
    async (status) => {
      const server = await serve(({ method }, response) =>
        method === "GET" ? response.writeHead(status).end() : false,
      );
      const waits: number[] = [];
      const peer = await connect(server.url, { clock: watching(fastClock(1000), waits) });

      peer.transport.listen();
      await until(() => server.seen.length === 1, "the GET");
      await peer.call("echo");
      await new Promise((resolve) => setTimeout(resolve, 100));

      expect(server.seen.filter(({ method }) => method === "GET")).toHaveLength(1);
      expect(waits).toEqual([]);
      expect(peer.closed).toEqual([]);
    },
  );

  it.each([409, 429, 500, 503])(
    "asks again, ever later, when GET is answered with HTTP %i",
    async (status) => {
      const server = await serve((_seen, response) => response.writeHead(status).end());
      const waits: number[] = [];
      const peer = await connect(server.url, { clock: watching(fastClock(1000), waits) });

      peer.transport.listen();
      await until(() => waits.length >= 7, "seven GETs");

      expect(waits.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    },
  );

  it("waits as long as Retry-After says", async () => {
    const server = await serve((_seen, response) => response.writeHead(503, { "retry-after": "120" }).end());
    const waits: number[] = [];
    const peer = await connect(server.url, { clock: watching(fastClock(1000), waits) });

    peer.transport.listen();
    await until(() => waits.length > 0, "the first answer");

    expect(waits[0]).toBe(120_000);
  });

  it("row 7: opens the stream again after it ended, ever later, from where it was", async () => {
    const server = await serve((_seen, response) =>
      sse(response, server.seen.length === 1 ? `id: 5\ndata: ${changed}\n\n` : ": nothing\n\n").end(),
    );
    const waits: number[] = [];
    const peer = await connect(server.url, { clock: watching(fastClock(1000), waits) });

    peer.transport.listen();
    await until(() => waits.length >= 4, "four streams");

    expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(server.seen.slice(0, 3).map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      "5",
      "5",
    ]);
    expect(peer.messages).toHaveLength(1);
  });

  it("row 7: leaves a silent stream open, and calls go on beside it", async () => {
    const server = await serve(({ method, message }, response) => {
      if (method === "GET") return sse(response);
      return json(response, 200, { jsonrpc: "2.0", id: message["id"], result: resultFor(message) });
    });
    // Ten minutes pass in 0.6 s for every timer of ours; the client library below must have none of its own.
    const peer = await connect(server.url, { clock: fastClock(1000) });

    peer.transport.listen();
    await until(() => server.seen.length === 1, "the GET");
    await new Promise((resolve) => setTimeout(resolve, 600));
    const outcome = await peer.call("echo", { n: 1 });

    expect(outcome.answer?.["result"]).toEqual({ echo: { n: 1 } });
    expect(server.seen.filter(({ method }) => method === "GET")).toHaveLength(1);
    expect(server.seen[0]?.socket.destroyed).toBe(false);
  });

  it("honours retry exactly once, so that an empty stream with `retry: 0` is no tight loop", async () => {
    const server = await serve((_seen, response) => sse(response, "retry: 0\ndata:\n\n").end());
    const waits: number[] = [];
    const peer = await connect(server.url, { clock: watching(fastClock(1000), waits) });

    peer.transport.listen();
    await until(() => waits.length >= 4, "four streams");

    expect(waits.slice(0, 4)).toEqual([50, 2000, 4000, 8000]);
  });

  it("ends with its session when a new one begins", async () => {
    const server = await serve(({ method }, response) => (method === "GET" ? sse(response) : false));
    const peer = await connect(server.url);
    await peer.initialize();
    peer.transport.listen();
    await until(() => server.seen.some(({ method }) => method === "GET"), "the GET");

    await peer.initialize();

    const get = server.seen.find(({ method }) => method === "GET");
    await until(() => get?.socket.destroyed === true, "the end of the old stream");
    peer.transport.listen();
    await until(() => server.seen.filter(({ method }) => method === "GET").length === 2, "the new stream");
    expect(server.seen.at(-1)?.socket.destroyed).toBe(false);
  });
});

/** Notes the delay of every timer that is set. */
function watching(clock: Clock, waits: number[]): Clock {
  return {
    ...clock,
    setTimeout: (callback, delayMs) => {
      waits.push(delayMs);
      return clock.setTimeout(callback, delayMs);
    },
  };
}
