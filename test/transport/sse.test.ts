import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/spec.js";
import { ConnectError } from "../../src/errors.js";
import { createSseTransport, type SseOptions } from "../../src/transport/sse.js";
import { fixture, Peer, serve, sse, until } from "./httpHarness.js";

describe("HTTP+SSE (2024-11-05)", () => {
  it("posts to the endpoint that the stream names and takes the answers from the stream", async () => {
    const server = await fixture("sseOld.mjs");
    const peer = await connect(server.url);

    await peer.initialize("2024-11-05");
    const outcomes = await Promise.all([peer.call("echo", { n: 1 }), peer.call("echo", { n: 2 })]);

    expect(outcomes.map((each) => each.answer?.["result"])).toEqual([
      { content: [{ type: "text", text: '{"n":1}' }] },
      { content: [{ type: "text", text: '{"n":2}' }] },
    ]);
    expect(await server.stats()).toEqual({ initialize: 1, "notifications/initialized": 1, "tools/call": 2 });
  });

  it("tells a refused POST as the loss of that request and goes on", async () => {
    const server = await fixture("sseOld.mjs");
    const peer = await connect(server.url);

    const refused = await peer.call("refuse");
    const good = await peer.call("echo", { n: 1 });

    expect(refused.loss).toMatchObject({ sent: "yes", cause: { kind: "server-error", httpStatus: 500 } });
    expect(good.answer).toBeDefined();
    expect(peer.closed).toEqual([]);
  });

  it("is closed, once, when the stream ends", async () => {
    const { url } = await fixture("sseOld.mjs");
    const peer = await connect(url);

    void peer.call("drop");
    await until(() => peer.closed.length > 0, "the end of the connection");

    expect(peer.closed).toEqual([{ kind: "reset", message: 'server "old" ended its event stream' }]);
    expect((await peer.call("echo")).loss).toMatchObject({ sent: "no", cause: { kind: "stopping" } });
    await peer.transport.close();
    expect(peer.closed).toHaveLength(1);
  });

  it("hides a configured header value in the reason for its end", async () => {
    const streams: ServerResponse[] = [];
    const server = await serve((_seen, response) => {
      streams.push(sse(response, "event: endpoint\ndata: /in\n\n"));
    });
    // The sentence about the end holds these words.
    const peer = await connect(server.url, {
      target: { kind: "sse", url: server.url, headers: { "x-key": "event stream" } },
    });

    streams[0]?.end();
    await until(() => peer.closed.length > 0, "the end of the connection");

    expect(peer.closed).toEqual([{ kind: "reset", message: 'server "old" ended its ***' }]);
  });

  it("takes an absolute endpoint of its own origin", async () => {
    const server = await serve(({ method, url }, response) => {
      if (method !== "GET") return void response.writeHead(202).end();
      sse(response, `event: endpoint\ndata: ${server.origin}/in?a=1\n\n`);
      return url;
    });
    const peer = await connect(server.url);

    peer.notify("notifications/x");
    await until(() => server.seen.length === 2, "the POST");

    expect(server.seen[1]?.url).toBe("/in?a=1");
  });

  it("refuses an endpoint on another origin and sends nothing there", async () => {
    const other = await serve();
    const { url } = await fixture("sseOld.mjs", [`--endpoint=${other.url}`]);

    await expect(connect(url)).rejects.toMatchObject({ info: { kind: "redirected" } });
    expect(other.seen).toEqual([]);
  });

  it("does not wait for ever for the endpoint", async () => {
    const { url } = await fixture("sseOld.mjs", ["--endpoint=none"]);

    await expect(connect(url, { endpointTimeoutMs: 100 })).rejects.toMatchObject({
      info: { kind: "connect-timeout", message: expect.stringContaining("no endpoint event within 100 ms") },
    });
  });

  it.each([
    [401, "auth-required"],
    [404, "http-error"],
    [503, "server-error"],
  ])("names HTTP %i on the stream as the reason (%s)", async (status, kind) => {
    const server = await serve((_seen, response) => void response.writeHead(status).end("no"));

    await expect(connect(server.url)).rejects.toMatchObject({ info: { kind, httpStatus: status } });
  });

  it("names a page instead of a stream as the reason", async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<p>hello</p>");
    });

    const error = await connect(server.url).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ConnectError);
    expect((error as ConnectError).message).toBe(
      `server "old" answered HTTP 200 (text/html) at ${server.url}: a web page; expected JSON or an event stream`,
    );
  });

  it("delivers what follows the endpoint in the same piece", async () => {
    const server = await serve((_seen, response) => {
      sse(response, 'event: endpoint\ndata: /in\n\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
    });
    const peer = await connect(server.url);

    await until(() => peer.messages.length === 1, "the notification");

    expect(peer.messages).toEqual([{ jsonrpc: "2.0", method: "notifications/x" }]);
  });

  it("lets no request overtake the initialized notification", async () => {
    const acknowledge: (() => void)[] = [];
    const server = await serve(({ method, message }, response) => {
      if (method === "GET") sse(response, "event: endpoint\ndata: /in\n\n");
      else if (message["id"] !== undefined) response.writeHead(202).end();
      else acknowledge.push(() => void response.writeHead(202).end());
    });
    const peer = await connect(server.url);

    peer.notify("notifications/initialized");
    void peer.call("echo");
    await until(() => server.seen.length === 2, "the notification");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.seen.map((each) => each.message["method"])).toEqual([
      undefined,
      "notifications/initialized",
    ]);
    acknowledge[0]?.();

    await until(() => server.seen.length === 3, "the call");
  });
});

async function connect(url: string, more: Partial<SseOptions> = {}): Promise<Peer> {
  const target = { kind: "sse" as const, url, headers: {} };
  const transport = createSseTransport({ id: "old", target, limits: defaultLimits, ...more });
  onTestFinished(async () => void (await transport.close()));
  return new Peer(transport).open();
}
