import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, running, temporaryFolder } from "../support.js";
import { legacyAnswer, modernAnswer, scriptHttp } from "./httpServer.js";
import type { Answer, Seen } from "./httpServer.js";

const noise = { jsonrpc: "2.0", id: null };
const greeted = "server/discover initialize notifications/initialized tools/list tools/call";

/** Connects, calls `echo`, and tells the agreed revision and the text. */
async function meet(
  url: string,
  home = temporaryFolder(),
): Promise<{ version?: string | undefined; text: string }> {
  const supervisor = await running([{ id: "web", transport: "http", url }], { home });
  const result = await supervisor.callTool("mcp_web_echo", { a: 1 });
  const version = supervisor.servers()[0]?.protocolVersion;
  await supervisor.stop();
  return { version, text: result.text };
}

const refusals: [string, (one: Seen) => Answer][] = [
  ["-32601 with 200", (one) => ({ error: { code: -32601, message: "no" }, id: one.id })],
  ["-32601 with 404", (one) => ({ error: { code: -32601, message: "no" }, id: one.id, status: 404 })],
  ["-32602", (one) => ({ error: { code: -32602, message: "no" }, id: one.id, status: 400 })],
  [
    "-32600 without a session id",
    () => ({ error: { code: -32600, message: "Missing session ID" }, id: null, status: 400 }),
  ],
  [
    "-32000 not initialized",
    () => ({ error: { code: -32000, message: "Server not initialized" }, id: null, status: 400 }),
  ],
  [
    "-32000 unsupported version",
    () => ({
      error: { code: -32000, message: "Unsupported protocol version: 2026-07-28" },
      id: null,
      status: 400,
    }),
  ],
  ["an empty 400", () => ({ status: 400 })],
  ["a page with 404", () => ({ status: 404, text: "<h1>Not Found</h1>", type: "text/html" })],
  ["an empty result", () => ({ result: {} })],
  ["202 without a body", () => ({ status: 202 })],
  [
    "a JSON body that is no answer",
    () => ({ status: 200, text: JSON.stringify(noise), type: "application/json" }),
  ],
];

describe("an unknown HTTP server (row 25)", () => {
  it.each(refusals)("is greeted when it answers the probe with %s", async (_, refuse) => {
    const server = await scriptHttp((one) =>
      one.method === "server/discover" ? refuse(one) : legacyAnswer(one),
    );

    expect(await meet(server.url)).toEqual({ version: "2025-11-25", text: '{"a":1}' });
    expect(server.methods()).toBe(greeted);
  });

  it("is spoken to without a handshake when it discovers itself", async () => {
    const server = await scriptHttp((one) => modernAnswer(one));

    expect(await meet(server.url)).toEqual({ version: "2026-07-28", text: '{"a":1}' });
    expect(server.methods()).toBe("server/discover tools/list tools/call");
  });

  it("is asked again in the revision it names, and never greeted (row 26)", async () => {
    let probes = 0;
    const server = await scriptHttp((one) =>
      one.method === "server/discover" && probes++ === 0
        ? { error: { code: -32022, message: "no", data: { supported: ["2026-07-28"] } }, status: 400 }
        : modernAnswer(one),
    );

    expect(await meet(server.url)).toEqual({ version: "2026-07-28", text: '{"a":1}' });
    expect(server.methods()).toBe("server/discover server/discover tools/list tools/call");
  });

  it.each([-32020, -32021])("is not greeted after error %d (row 26)", async (code) => {
    const server = await scriptHttp(() => ({ error: { code, message: "no" }, status: 400 }));
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }]);

    expect(supervisor.servers()[0]).toMatchObject({ state: "parked", cause: { kind: "handshake-error" } });
    expect(server.methods()).toBe("server/discover");
  });

  // Gateways and servers exist that fail with 5xx on a method they do not know: initialize tells whether on everything.
  it("is greeted once and not remembered when it is only unavailable (row 26)", async () => {
    const home = temporaryFolder();
    const server = await scriptHttp(() => ({ status: 503, text: "down" }));
    const supervisor = await running([{ id: "web", transport: "http", url: server.url, restart: "never" }], {
      home,
    });
    await supervisor.stop();

    expect(server.methods()).toBe("server/discover initialize");
    expect(existsSync(join(home, "eras.json"))).toBe(false);
  });

  it("is greeted at once the next time when it is remembered as legacy", async () => {
    const home = temporaryFolder();
    const server = await scriptHttp((one) => legacyAnswer(one));
    await meet(server.url, home);
    expect(Object.values(JSON.parse(readFileSync(join(home, "eras.json"), "utf8")) as object)).toEqual([
      "legacy",
    ]);

    await meet(server.url, home);

    expect(server.methods()).toBe(`${greeted} initialize notifications/initialized tools/list tools/call`);
  });

  it("is probed anew when what is remembered fails", async () => {
    const home = temporaryFolder();
    const script = { answer: legacyAnswer };
    const server = await scriptHttp((one) => script.answer(one));
    await meet(server.url, home);
    script.answer = modernAnswer;

    expect(await meet(server.url, home)).toEqual({ version: "2026-07-28", text: '{"a":1}' });
    expect(Object.values(JSON.parse(readFileSync(join(home, "eras.json"), "utf8")) as object)).toEqual([
      "modern",
    ]);
  });
});

describe("an HTTP address that refuses every POST", () => {
  it.each([400, 404, 405])("is tried as HTTP+SSE after %d", async (status) => {
    const events: string[] = [];
    const streams: ServerResponse[] = [];
    const server = await scriptHttp(
      (one) => {
        if (events.length === 0) return { status };
        const answer = legacyAnswer(one);
        const body =
          answer !== undefined && "result" in answer
            ? { result: answer.result }
            : { error: { code: -32601, message: "no" } };
        streams[0]?.write(
          `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: one.id, ...body })}\n\n`,
        );
        return { status: 202 };
      },
      (response) => {
        events.push("GET");
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: endpoint\ndata: /mcp\n\n");
        streams.push(response);
      },
    );

    expect(await meet(server.url)).toEqual({ version: "2025-11-25", text: '{"a":1}' });
    expect(events).toEqual(["GET"]);
  });

  it("is told with its first refusal when it is no HTTP+SSE server either", async () => {
    const server = await scriptHttp(() => ({ status: 404, text: "nobody here" }));
    const supervisor = await running([{ id: "web", transport: "http", url: server.url }]);

    const [status] = supervisor.servers();
    expect(status).toMatchObject({ state: "parked", cause: { kind: "http-error", httpStatus: 404 } });
    expect(status?.cause.message).toContain("nobody here");
  });
});

describe("an HTTP server that never answers the probe", () => {
  it("is greeted after a while, and the probe is given up then (row 25)", async () => {
    const server = await scriptHttp((one) =>
      one.method === "server/discover" ? undefined : legacyAnswer(one),
    );

    expect(await meet(server.url)).toEqual({ version: "2025-11-25", text: '{"a":1}' });
    await eventually(() => server.aborted.length === 1, "the probe ends");
    expect(server.aborted[0]?.method).toBe("server/discover");
  });
});
