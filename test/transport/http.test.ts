import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/spec.js";
import { createHttpTransport } from "../../src/transport/http.js";
import {
  connect,
  eventOf,
  fastClock,
  json,
  type Peer,
  plainAnswer,
  resultFor,
  serve,
  sse,
  until,
} from "./httpHarness.js";

const withSession = { "mcp-session-id": "s-1" };

describe("the headers of Streamable HTTP", () => {
  it("row 10, row 11: sends the negotiated version and the session id after initialize, and neither with it", async () => {
    const server = await serve(({ method, message }, response) => {
      if (method === "GET") return sse(response);
      if (method === "DELETE") return response.writeHead(204).end();
      if (message["method"] !== "initialize") return false;
      const result = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        serverInfo: { name: "t", version: "1" },
      };
      return json(response, 200, { jsonrpc: "2.0", id: message["id"], result }, withSession);
    });
    const peer = await connect(server.url, { userAgent: "mcpvisor/1.0" });

    await peer.initialize("2025-11-25");
    peer.transport.listen();
    await peer.call("echo");
    await until(() => server.seen.some(({ method }) => method === "GET"), "the GET");
    await peer.transport.close();

    const told = (name: string): unknown[][] =>
      server.seen
        .map(({ method, message, headers }) => ({ what: nameOf(message) ?? method, value: headers[name] }))
        .toSorted((a, b) => a.what.localeCompare(b.what))
        .map(({ what, value }) => [what, value]);
    expect(told("mcp-protocol-version")).toEqual([
      ["DELETE", "2025-06-18"],
      ["GET", "2025-06-18"],
      ["initialize", undefined],
      ["notifications/initialized", "2025-06-18"],
      ["tools/call", "2025-06-18"],
    ]);
    expect(told("mcp-session-id")).toEqual([
      ["DELETE", "s-1"],
      ["GET", "s-1"],
      ["initialize", undefined],
      ["notifications/initialized", "s-1"],
      ["tools/call", "s-1"],
    ]);
    expect(told("mcp-method").map((each) => each[1])).toEqual(Array(5).fill(undefined));
    const call = server.seen.find(({ message }) => message["method"] === "tools/call");
    expect(call?.headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "user-agent": "mcpvisor/1.0",
    });
    expect(server.seen.find(({ method }) => method === "GET")?.headers["accept"]).toBe("text/event-stream");
  });

  it("row 11: takes a session id from nothing but a successful initialize response", async () => {
    const server = await serve(({ message }, response) => {
      const answer = { jsonrpc: "2.0", id: message["id"], result: resultFor(message) };
      if (message["id"] === undefined) return response.writeHead(202, { "mcp-session-id": "bogus" }).end();
      const error = { code: -32602, message: "no" };
      if (message["id"] === 1)
        return json(response, 200, { jsonrpc: "2.0", id: 1, error }, { "mcp-session-id": "failed" });
      if (message["method"] === "initialize") return json(response, 200, answer, withSession);
      return json(response, 200, answer, { "mcp-session-id": "other" });
    });
    const peer = await connect(server.url);

    await peer.initialize();
    await peer.call("first");
    await peer.initialize();
    await peer.call("second");
    await peer.call("third");

    expect(server.seen.map(({ headers }) => headers["mcp-session-id"])).toEqual([
      undefined,
      undefined,
      undefined,
      "s-1",
      "s-1",
      "s-1",
    ]);
  });

  it("row 11: does not use a session id that is not visible ASCII", async () => {
    const server = await serve(({ message }, response) => {
      if (message["method"] !== "initialize") return false;
      return json(
        response,
        200,
        { jsonrpc: "2.0", id: 1, result: resultFor(message) },
        { "mcp-session-id": "a b" },
      );
    });
    const peer = await connect(server.url);

    await peer.initialize();
    await peer.call("echo");

    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBeUndefined();
    expect(peer.warnings).toEqual([
      'session-id: server "fake": the session id is not visible ASCII and is not used',
    ]);
  });

  it("sends configured headers with everything, and lets them not change the framing or the protocol", async () => {
    const server = await serve();
    const headers = {
      Authorization: "Bearer abc",
      "X-Extra": "1",
      "Content-Length": "3",
      "Transfer-Encoding": "chunked",
      "MCP-Protocol-Version": "1",
      Accept: "text/html",
    };
    const peer = await connect(server.url, { target: { kind: "http", url: server.url, headers } });

    await peer.initialize();
    await peer.call("echo");

    for (const { headers: got } of server.seen)
      expect(got).toMatchObject({ authorization: "Bearer abc", "x-extra": "1" });
    expect(server.seen.at(-1)?.headers).toMatchObject({
      "mcp-protocol-version": "2025-11-25",
      accept: "application/json, text/event-stream",
    });
  });

  it("speaks 2026-07-28 without session, GET and DELETE, with the method in a header", async () => {
    const server = await serve(({ message }, response) =>
      json(response, 200, { jsonrpc: "2.0", id: message["id"], result: {} }, withSession),
    );
    const peer = await connect(server.url);

    await peer.request("server/discover");
    peer.transport.agreed("2026-07-28");
    peer.transport.listen();
    await peer.request("tools/list");
    await peer.request("tools/call", {}, { headers: { "Mcp-Name": "echo", "Mcp-Param-Region": "eu" } });
    await peer.transport.close();

    expect(
      server.seen.map(({ method, headers }) => [method, headers["mcp-method"], headers["mcp-session-id"]]),
    ).toEqual([
      ["POST", "server/discover", undefined],
      ["POST", "tools/list", undefined],
      ["POST", "tools/call", undefined],
    ]);
    expect(server.seen.map(({ headers }) => headers["mcp-protocol-version"])).toEqual(
      Array(3).fill("2026-07-28"),
    );
    expect(server.seen[2]?.headers).toMatchObject({ "mcp-name": "echo", "mcp-param-region": "eu" });
  });

  it("lets the headers of a message win over its own, whatever their case", async () => {
    const server = await serve();
    const peer = await connect(server.url);

    await peer.request("server/discover", {}, { headers: { "MCP-Protocol-Version": "2027-01-01" } });

    expect(server.seen[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2027-01-01",
      "mcp-method": "server/discover",
    });
  });
});

describe("the life of a Streamable HTTP connection", () => {
  it("refuses to open an address that is not usable", async () => {
    await expect(connect("http://example.com/mcp")).rejects.toMatchObject({
      info: {
        kind: "config-invalid",
        message: expect.stringMatching(/^server "fake": the url is not usable/),
      },
    });
  });

  it("refuses messages before it is open and after it is closed", async () => {
    const target = { kind: "http" as const, url: "http://127.0.0.1:9/mcp", headers: {} };
    const transport = createHttpTransport({ id: "fake", target, limits: defaultLimits });
    const stopping = { kind: "stopping", message: 'server "fake" is not connected' };

    expect(transport.send("{}", { method: "ping", id: 1 })).toEqual(stopping);
    expect(await transport.close()).toMatchObject({ survivors: [], forced: false });
    expect(transport.send("{}", { method: "ping", id: 1 })).toEqual(stopping);
  });

  it("row 12, row 22: ends running exchanges and its session, and lets go of every connection", async () => {
    let calls = 0;
    const server = await serve(({ method, message }, response) => {
      if (method === "GET") return sse(response);
      if (method === "DELETE") return response.writeHead(200).end();
      if (message["method"] === "initialize") {
        return json(response, 200, { jsonrpc: "2.0", id: 1, result: resultFor(message) }, withSession);
      }
      if (message["method"] === "tools/call") calls += 1;
      return message["method"] === "tools/call" ? undefined : false;
    });
    const peer = await connect(server.url);
    await peer.initialize();
    peer.transport.listen();
    void peer.call("hangs");
    void peer.call("hangs");
    await until(() => calls === 2 && server.seen.some(({ method }) => method === "GET"), "everything to run");

    const end = await peer.transport.close();

    expect(end).toMatchObject({ survivors: [], forced: false });
    await until(() => server.seen.every(({ socket }) => socket.destroyed), "all sockets to be gone");
    expect(server.seen.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(peer.closed).toEqual([]);
    expect(peer.warnings).toEqual([]);
  });

  it("closes once, however often it is asked", async () => {
    const server = await serve(({ message }, response) => {
      if (message["method"] !== "initialize") return false;
      return json(response, 200, { jsonrpc: "2.0", id: 1, result: resultFor(message) }, withSession);
    });
    const peer = await connect(server.url);
    await peer.initialize();

    const ends = await Promise.all([peer.transport.close(), peer.transport.close()]);

    expect(ends.map((end) => end.forced)).toEqual([false, false]);
    expect(server.seen.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  it("never tells a loss before send has returned", async () => {
    const headers = { "x-bad": "a\nb" };
    const target = { kind: "http" as const, url: "http://127.0.0.1:9/mcp", headers };
    const transport = createHttpTransport({ id: "fake", target, limits: defaultLimits });
    const order: string[] = [];
    const lost = new Promise<void>((resolve) => {
      void transport
        .open({
          onMessage: () => undefined,
          onLost: () => {
            order.push("lost");
            resolve();
          },
          onClosed: () => undefined,
          onWarning: () => undefined,
        })
        .then(() => {
          order.push(JSON.stringify(transport.send("{}", { method: "ping", id: 1 })));
          return order.push("sent");
        });
    });

    await lost;
    await transport.close();

    expect(order).toEqual(["1", "sent", "lost"]);
  });

  it("row 22: kill ends everything at once without taking leave", async () => {
    const server = await serve(({ message }, response) => {
      if (message["method"] !== "initialize") return undefined;
      return json(response, 200, { jsonrpc: "2.0", id: 1, result: resultFor(message) }, withSession);
    });
    const peer = await connect(server.url);
    await peer.request("initialize", { protocolVersion: "2025-11-25" });
    void peer.call("hangs");
    await until(() => server.seen.length === 2, "the call");

    peer.transport.kill();

    await until(() => server.seen.every(({ socket }) => socket.destroyed), "all sockets to be gone");
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  it("abandons one exchange and leaves the others alone", async () => {
    const server = await serve(({ message }, response) =>
      message["id"] === 1
        ? undefined
        : setTimeout(() => plainAnswer({ method: "POST", message } as never, response), 50),
    );
    const peer = await connect(server.url);
    void peer.call("hangs");
    const other = peer.call("echo", { n: 2 });
    await until(() => server.seen.length === 2, "both calls");

    peer.transport.abandon(1);

    expect((await other).answer?.["result"]).toEqual({ echo: { n: 2 } });
    await until(
      () => server.seen.find(({ message }) => message["id"] === 1)?.socket.destroyed === true,
      "the abort",
    );
    expect(peer.messages).toHaveLength(1);
  });

  it("never sends a call that was abandoned while it waited for the initialized notification", async () => {
    const acknowledge: (() => void)[] = [];
    const server = await serve(({ message }, response) => {
      if (message["id"] !== undefined) return false;
      acknowledge.push(() => void response.writeHead(202).end());
      return undefined;
    });
    const peer = await connect(server.url);
    await peer.initialize();
    void peer.call("waits");
    const second = peer.call("echo");
    await until(() => acknowledge.length === 1, "the notification");

    peer.transport.abandon(2);
    acknowledge[0]?.();
    await second;

    expect(server.seen.map(({ message }) => message["id"])).toEqual([1, undefined, 3]);
  });

  it("warns once and goes on when notifications are refused", async () => {
    const server = await serve(({ message }, response) =>
      message["id"] === undefined ? response.writeHead(500).end() : false,
    );
    const peer = await connect(server.url);

    await peer.initialize();
    peer.notify("notifications/cancelled");
    const outcome = await peer.call("echo", { n: 1 });

    expect(outcome.answer?.["result"]).toEqual({ echo: { n: 1 } });
    expect(peer.warnings).toEqual([
      'notification-failed: server "fake": the notification notifications/initialized was answered with HTTP 500',
    ]);
    expect(peer.closed).toEqual([]);
  });

  it("does not wait for ever for the acknowledgement of a notification", async () => {
    const server = await serve(({ message }) => (message["id"] === undefined ? undefined : false));
    const peer = await connect(server.url, { clock: fastClock(300) });

    await peer.initialize();
    const outcome = await peer.call("echo", { n: 1 });

    expect(outcome.answer?.["result"]).toEqual({ echo: { n: 1 } });
    expect(peer.warnings[0]).toContain("notifications/initialized was not acknowledged within 30 s");
  });

  it("row 1: takes a new initialize while other exchanges of the old session go on", async () => {
    const held: (() => void)[] = [];
    const server = await serve(({ message, headers }, response) => {
      const answer = { jsonrpc: "2.0", id: message["id"], result: resultFor(message) };
      if (message["method"] === "initialize") {
        return json(response, 200, answer, { "mcp-session-id": `s-${String(message["id"])}` });
      }
      const { name } = (message["params"] ?? {}) as { name?: string };
      if (name === "slow") return held.push(() => json(response, 200, answer));
      if (name === "echo" && headers["mcp-session-id"] === "s-1") return response.writeHead(404).end();
      return false;
    });
    const peer = await connect(server.url);
    await peer.initialize();
    const slow = peer.call("slow");
    await until(() => held.length === 1, "the slow call");

    const refused = await peer.call("echo");
    const deadAlready = await peer.call("echo");
    await peer.initialize();
    const again = await peer.call("echo", { n: 1 });
    held[0]?.();

    expect(refused.loss).toEqual({
      sent: "no",
      cause: {
        kind: "session-lost",
        message: 'server "fake" no longer knows the session (HTTP 404)',
        httpStatus: 404,
      },
    });
    expect(deadAlready.loss).toMatchObject({ sent: "no", cause: { kind: "session-lost" } });
    expect(again.answer?.["result"]).toEqual({ echo: { n: 1 } });
    expect((await slow).answer).toBeDefined();
    const initialize = server.seen.filter(({ message }) => message["method"] === "initialize");
    expect(initialize.map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, undefined]);
    expect(server.seen.filter(({ message }) => message["id"] === 4)).toEqual([]);
  });

  it("row 39: gets over a stale connection for what is safe to repeat, and never repeats a call", async () => {
    const { server, peer } = await staleServer();

    await peer.request("tools/list");
    await idleConnections();
    const list = await peer.request("tools/list");
    await idleConnections();
    const call = await peer.call("echo");

    expect(list.answer).toBeDefined();
    expect(call.loss).toMatchObject({ sent: "unknown", cause: { kind: "reset" } });
    expect(server.seen.map(({ message }) => message["id"])).toEqual([1, 2, 2, 3]);
  });

  it("row 39: repeats once only", async () => {
    const server = await serve(({ socket }) => void socket.destroy());
    const peer = await connect(server.url);

    const { loss } = await peer.request("tools/list");

    expect(loss).toMatchObject({ sent: "unknown", cause: { kind: "reset" } });
    expect(server.seen).toHaveLength(2);
  });

  it("uses the same connections again for calls in a row, over JSON and over streams", async () => {
    const server = await serve(({ message }, response) =>
      message["id"] === 2 ? sse(response, eventOf(message)).end() : false,
    );
    const peer = await connect(server.url);

    for (let n = 0; n < 20; n += 1) await peer.call("echo");

    expect(server.seen).toHaveLength(20);
    // One takes the next call while the other one is being given back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

function nameOf(message: Record<string, unknown>): string | undefined {
  return typeof message["method"] === "string" ? message["method"] : undefined;
}

/** A server that ends every connection at its second request without a byte, as a keep-alive race looks to us. */
async function staleServer(): Promise<{ server: Awaited<ReturnType<typeof serve>>; peer: Peer }> {
  const used = new WeakSet<object>();
  const server = await serve(({ socket }) => {
    if (used.has(socket)) return void socket.destroy();
    used.add(socket);
    return false;
  });
  return { server, peer: await connect(server.url) };
}

/** A connection counts as free again one turn of the event loop after its answer. */
async function idleConnections(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
