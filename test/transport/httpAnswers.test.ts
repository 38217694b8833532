import { createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/spec.js";
import { connect, eventOf, json, resultFor, type Seen, serve, sse } from "./httpHarness.js";

const small = { ...defaultLimits, messageBytes: 1000 };

describe("what an answer over Streamable HTTP means", () => {
  it.each([
    [202, ""],
    [204, ""],
    [200, ""],
    [200, "  \n"],
  ])("row 8: fails a request at once that is answered with HTTP %i and the body %j", async (status, body) => {
    const server = await serve((_seen, response) => response.writeHead(status).end(body));
    const peer = await connect(server.url);

    expect((await peer.request("tools/list")).loss).toEqual({
      sent: "yes",
      cause: { kind: "reset", message: `server "fake": the stream ended with HTTP ${status} and no body` },
    });
  });

  it.each([
    [404, -32601],
    [400, -32602],
    [400, -32020],
    [500, -32603],
  ])("row 29: delivers the JSON-RPC error in a body of HTTP %i (%i), with any id", async (status, code) => {
    let id: unknown = null;
    const error = { code, message: "no", data: { why: 1 } };
    const server = await serve((_seen, response) => json(response, status, { jsonrpc: "2.0", id, error }));
    const peer = await connect(server.url);

    const withNull = await peer.request("tools/list");
    id = 2;
    const withId = await peer.request("tools/list");

    for (const { loss } of [withNull, withId]) expect(loss).toMatchObject({ sent: "yes", error });
  });

  it.each(["json", "stream"])(
    "row 29: takes an error without id in a 200 (%s) for the answer of its exchange",
    async (kind) => {
      const body = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "what?" } };
      const server = await serve((_seen, response) =>
        kind === "json" ? json(response, 200, body) : sse(response, `data: ${JSON.stringify(body)}\n\n`),
      );
      const peer = await connect(server.url);

      expect((await peer.request("tools/list")).loss).toMatchObject({
        sent: "yes",
        error: { code: -32600, message: "what?" },
      });
      expect(peer.messages).toEqual([]);
    },
  );

  it("row 35: takes batches apart, in JSON and in streams", async () => {
    const note = { jsonrpc: "2.0", method: "notifications/x" };
    const server = await serve(({ message }, response) => {
      const batch = [note, { jsonrpc: "2.0", id: message["id"], result: resultFor(message) }];
      if (message["id"] === 1) return json(response, 200, batch);
      return sse(response, `data: ${JSON.stringify(batch)}\n\n`).end();
    });
    const peer = await connect(server.url);

    const outcomes = [await peer.call("echo", { n: 1 }), await peer.call("echo", { n: 2 })];

    expect(outcomes.map((each) => each.answer?.["result"])).toEqual([{ echo: { n: 1 } }, { echo: { n: 2 } }]);
    expect(peer.messages.filter((each) => "method" in each)).toEqual([note, note]);
  });

  it("takes an answer whose id came back as text", async () => {
    const server = await serve(({ message }, response) =>
      json(response, 200, { jsonrpc: "2.0", id: JSON.stringify(message["id"]), result: { ok: true } }),
    );
    const peer = await connect(server.url);

    expect((await peer.call("echo")).answer?.["result"]).toEqual({ ok: true });
  });

  it("fails a request whose JSON answers something else, and hands that on", async () => {
    const server = await serve((_seen, response) =>
      json(response, 200, { jsonrpc: "2.0", id: 99, result: {} }),
    );
    const peer = await connect(server.url);

    const { loss } = await peer.call("echo");

    expect(loss).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
    expect(peer.messages).toEqual([{ jsonrpc: "2.0", id: 99, result: {} }]);
  });

  it.each([null, 7, "text", [], {}, { jsonrpc: "2.0" }])("survives a body that is %j", async (body) => {
    const server = await serve((_seen, response) => json(response, 200, body));
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
  });

  it("tells what a 401 asks for", async () => {
    const challenge =
      'Bearer error="invalid_token", resource_metadata="https://a.example/meta", scope="files:read db"';
    const server = await serve((_seen, response) =>
      response.writeHead(401, { "www-authenticate": challenge }).end(),
    );
    const peer = await connect(server.url);

    const { loss } = await peer.initialize();

    expect(loss).toEqual({
      sent: "no",
      cause: {
        kind: "auth-required",
        httpStatus: 401,
        message:
          'server "fake" wants authorization (HTTP 401, resource_metadata https://a.example/meta, scope files:read db, error invalid_token): set or renew the Authorization header in its headers',
      },
    });
    expect(server.seen).toHaveLength(1);
    expect(peer.closed).toEqual([]);
  });

  it.each([
    [403, {}, { sent: "no", cause: { kind: "forbidden" } }],
    [429, { "retry-after": "3" }, { sent: "no", cause: { kind: "rate-limited", retryAfterMs: 3000 } }],
    [503, { "retry-after": "7" }, { sent: "yes", cause: { kind: "server-error", retryAfterMs: 7000 } }],
    [503, {}, { sent: "yes", cause: { kind: "server-error" } }],
    [502, {}, { sent: "yes", cause: { kind: "server-error" } }],
    [404, {}, { sent: "yes", cause: { kind: "http-error" } }],
    [405, {}, { sent: "yes", cause: { kind: "http-error" } }],
    [418, {}, { sent: "yes", cause: { kind: "http-error" } }],
  ])("judges HTTP %i with %j", async (status, headers, expected) => {
    const server = await serve((_seen, response) => response.writeHead(status, headers).end("no luck"));
    const peer = await connect(server.url);

    const { loss } = await peer.call("echo");

    expect(loss).toMatchObject(expected);
    expect(loss?.cause).toMatchObject({
      httpStatus: status,
      message: `server "fake" answered HTTP ${status} (no content type) at ${server.url}: no luck`,
    });
    expect(server.seen).toHaveLength(1);
  });

  it("reads a 400 as a lost session only when a session id was sent and the text says so", async () => {
    const texts = ["Bad Request: No valid session ID provided", "Session expired", "missing argument"];
    const server = await serve(({ message }, response) => {
      if (message["method"] === "initialize") {
        const answer = { jsonrpc: "2.0", id: message["id"], result: resultFor(message) };
        return json(response, 200, answer, { "mcp-session-id": "s" });
      }
      if (message["id"] === undefined) return false;
      return response.writeHead(400).end(texts[(message["params"] as { name: number }).name]);
    });
    const peer = await connect(server.url);

    const before = await peer.request("tools/call", { name: 0 });
    await peer.initialize();
    const other = await peer.request("tools/call", { name: 2 });
    const lost = await peer.request("tools/call", { name: 0 });
    await peer.initialize();
    const lostAgain = await peer.request("tools/call", { name: 1 });

    expect([before, other, lost, lostAgain].map((each) => each.loss?.cause.kind)).toEqual([
      "http-error",
      "http-error",
      "session-lost",
      "session-lost",
    ]);
  });

  it("shows no secrets, control characters or direction marks of an error body", async () => {
    const body = "no \u001b[31mBearer sk-12345\u202e\nfor you";
    const server = await serve((_seen, response) =>
      response.writeHead(400, { "content-type": "text/plain" }).end(body),
    );
    const headers = { authorization: "Bearer sk-12345" };
    const peer = await connect(server.url, { target: { kind: "http", url: server.url, headers } });

    expect((await peer.call("echo")).loss?.cause.message).toBe(
      `server "fake" answered HTTP 400 (text/plain) at ${server.url}: no \\u{1b}[31m***\\u{202e}\\nfor you`,
    );
  });

  it("does not wait for the rest of an error page", async () => {
    const server = await serve((_seen, response) => void response.writeHead(500).write("x".repeat(100_000)));
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss?.cause.kind).toBe("server-error");
  });
});

describe("limits of an answer over Streamable HTTP", () => {
  const tooLarge =
    'server "fake" sent a message larger than the limit of 1000 bytes; it was dropped (limits.messageBytes)';

  it("takes a JSON body of exactly the limit and refuses one byte more", async () => {
    for (const [bytes, expected] of [
      [1000, undefined],
      [1001, tooLarge],
    ] as const) {
      const server = await serve((_seen, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(padded(bytes));
      });
      const peer = await connect(server.url, { limits: small });

      expect((await peer.call("echo")).loss?.cause.message).toBe(expected);
    }
  });

  it("takes a message of exactly the limit from a stream, and loses only the one that is larger", async () => {
    const server = await serve(({ message }, response) => {
      if (message["id"] === 1) return sse(response, `data: ${padded(1000)}\n\n`).end();
      if (message["id"] === 2) return sse(response, `data: ${padded(1001)}\n\n${eventOf(message)}`).end();
      return sse(response, `data: ${padded(3000)}\n\n`).end();
    });
    const peer = await connect(server.url, { limits: small });

    expect((await peer.call("one")).answer).toBeDefined();
    expect((await peer.call("two")).answer?.["result"]).toEqual({ ok: true });
    expect((await peer.call("three")).loss).toEqual({
      sent: "yes",
      cause: { kind: "http-error", message: tooLarge, httpStatus: 200 },
    });
  });

  it("stops a body that never ends at the limit", async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(1000)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const peer = await connect(server.url, { limits: small });

    expect((await peer.call("echo")).loss?.cause.message).toBe(tooLarge);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])(
    "asks for no compression, reads %s all the same, and stops a bomb at the limit",
    async (coding, compress) => {
      const server = await serve(({ message }, response) => {
        const answer = JSON.stringify({ jsonrpc: "2.0", id: message["id"], result: resultFor(message) });
        const body = message["id"] === 3 ? Buffer.alloc(64 * 1024 * 1024, 32) : answer;
        const isStream = message["id"] === 2;
        const type = isStream ? "text/event-stream" : "application/json";
        response.writeHead(200, { "content-type": type, "content-encoding": coding });
        response.end(compress(isStream ? `data: ${answer}\n\n` : body));
      });
      const peer = await connect(server.url, { limits: small });

      const outcomes = [
        await peer.call("json", { n: 1 }),
        await peer.call("stream", { n: 2 }),
        await peer.call("bomb"),
      ];

      expect(server.seen[0]?.headers["accept-encoding"]).toBe("identity");
      expect(outcomes.map((each) => each.answer?.["result"])).toEqual([
        { echo: { n: 1 } },
        { echo: { n: 2 } },
        undefined,
      ]);
      expect(outcomes[2]?.loss?.cause.message).toBe(tooLarge);
    },
  );

  it("refuses a coding it does not know, and a body that is not what its coding says", async () => {
    const server = await serve(({ message }, response) => {
      const coding = message["id"] === 1 ? "zstd" : "gzip";
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": coding })
        .end("plain");
    });
    const peer = await connect(server.url);

    const unknown = await peer.call("echo");
    const broken = await peer.call("echo");

    expect(unknown.loss).toMatchObject({ sent: "yes", cause: { kind: "http-error" } });
    expect(unknown.loss?.cause.message).toContain("content coding zstd is not supported");
    expect(broken.loss).toMatchObject({ sent: "yes", cause: { kind: "http-error" } });
  });
});

describe("redirects of Streamable HTTP", () => {
  it.each([307, 308])(
    "row 38: follows HTTP %i inside the origin with method, body and headers",
    async (status) => {
      const server = await serve(({ url }, response) =>
        url === "/mcp" ? response.writeHead(status, { location: "/moved?x=1" }).end("see there") : false,
      );
      const headers = { authorization: "Bearer abc" };
      const peer = await connect(server.url, { target: { kind: "http", url: server.url, headers } });

      expect((await peer.call("echo", { n: 1 })).answer?.["result"]).toEqual({ echo: { n: 1 } });
      expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "POST /mcp",
        "POST /moved?x=1",
      ]);
      expect(server.seen[1]?.headers["authorization"]).toBe("Bearer abc");
      expect(server.seen[1]?.body).toBe(server.seen[0]?.body);
    },
  );

  it.each([301, 302, 303])("row 38: does not turn a POST into a GET for HTTP %i", async (status) => {
    const server = await serve((_seen, response) => response.writeHead(status, { location: "/moved" }).end());
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss?.cause).toMatchObject({ kind: "redirected", httpStatus: status });
    expect(server.seen).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])("row 38: sends nothing to another origin for HTTP %i", async (status) => {
    const other = await serve();
    const server = await serve((_seen, response) =>
      response.writeHead(status, { location: other.url }).end(),
    );
    const headers = { authorization: "Bearer abc" };
    const peer = await connect(server.url, { target: { kind: "http", url: server.url, headers } });

    const { loss } = await peer.call("echo");

    expect(loss?.cause.kind).toBe("redirected");
    expect(loss?.cause.message).toContain(
      `a redirect of ${server.url} to ${other.origin}/mcp that is not followed`,
    );
    expect(other.seen).toEqual([]);
  });

  it("row 38: follows at most three in a row", async () => {
    const server = await serve((_seen, response) => response.writeHead(307, { location: "/mcp" }).end());
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss?.cause.kind).toBe("redirected");
    expect(server.seen).toHaveLength(4);
  });
});

describe("network failures of Streamable HTTP", () => {
  it("knows that nothing was sent when the connection is refused", async () => {
    const probe = createServer();
    const port = await new Promise<number>((resolve) => {
      probe.listen(0, "127.0.0.1", () => resolve((probe.address() as { port: number }).port));
    });
    await new Promise((resolve) => probe.close(resolve));
    const peer = await connect(`http://127.0.0.1:${port}/mcp`);

    expect((await peer.call("echo")).loss).toEqual({
      sent: "no",
      cause: {
        kind: "refused",
        message: 'server "fake" cannot be reached: the connection was refused; is it running? (ECONNREFUSED)',
      },
    });
  });

  it("knows that nothing was sent when the host has no address", async () => {
    const peer = await connect("https://nothing.invalid/mcp");

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "no", cause: { kind: "dns" } });
  });

  it("knows that nothing was sent when TLS fails, and does not go down to plain HTTP", async () => {
    const server = await serve();
    const peer = await connect(server.url.replace("http:", "https:"));

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "no", cause: { kind: "tls" } });
    expect(server.seen).toEqual([]);
  });

  it("does not know when the connection ends before the answer", async () => {
    const server = await serve(({ socket }) => void socket.destroy());
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "unknown", cause: { kind: "reset" } });
    expect(server.seen).toHaveLength(1);
  });

  it("knows that the request arrived when the connection ends inside the answer", async () => {
    const server = await serve(({ socket }: Seen, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write("{", () => socket.destroy());
    });
    const peer = await connect(server.url);

    expect((await peer.call("echo")).loss).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
  });

  it("fails a request to something that does not speak HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
    const peer = await connect(`http://127.0.0.1:${port}/mcp`);

    const { loss } = await peer.call("echo");
    await new Promise((resolve) => server.close(resolve));

    expect(loss).toMatchObject({ sent: "unknown", cause: { kind: "http-error" } });
  });

  it("fails a request with a header that cannot be sent, without naming its value", async () => {
    const server = await serve();
    const headers = { authorization: "Bearer a\nb" };
    const peer = await connect(server.url, { target: { kind: "http", url: server.url, headers } });

    const { loss } = await peer.call("echo");

    expect(loss).toMatchObject({ sent: "no", cause: { kind: "http-error" } });
    expect(loss?.cause.message).toContain("invalid authorization header");
    expect(server.seen).toEqual([]);
  });
});

/** A JSON-RPC answer to request 1 that has so many bytes. */
function padded(bytes: number): string {
  const frame = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "" }).length;
  return JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(bytes - frame) });
}
