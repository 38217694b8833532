import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/spec.js";
import { createSseTransport } from "../../src/transport/sse.js";
import { connect, fixture, Peer } from "./httpHarness.js";

const everything = join(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

describe("transports over HTTP against official servers", () => {
  it("speaks Streamable HTTP with server-everything: handshake, list, call, progress, listening, farewell", async () => {
    const origin = await startEverything("streamableHttp");
    const peer = await connect(`${origin}/mcp`);

    const handshake = await peer.initialize();
    peer.transport.listen();
    const list = await peer.request("tools/list");
    const echo = await peer.call("echo", { message: "hi" });
    const long = await peer.request("tools/call", {
      name: "trigger-long-running-operation",
      arguments: { duration: 1, steps: 2 },
      _meta: { progressToken: "p" },
    });

    expect(handshake.answer?.["result"]).toMatchObject({ protocolVersion: "2025-11-25" });
    expect(list.answer?.["result"]).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "echo" })]),
    });
    expect(echo.answer?.["result"]).toMatchObject({ content: [{ type: "text", text: "Echo: hi" }] });
    expect(long.answer?.["result"]).toMatchObject({ content: [{ type: "text" }] });
    expect(peer.messages.filter((each) => each["method"] === "notifications/progress")).toHaveLength(2);
    expect(await peer.transport.close()).toMatchObject({ survivors: [], forced: false });
    expect(peer.warnings).toEqual([]);
  });

  it("speaks HTTP+SSE with server-everything", async () => {
    const origin = await startEverything("sse");
    const target = { kind: "sse" as const, url: `${origin}/sse`, headers: {} };
    const transport = createSseTransport({ id: "old", target, limits: defaultLimits });
    onTestFinished(async () => void (await transport.close()));
    const peer = await new Peer(transport).open();

    const handshake = await peer.initialize("2024-11-05");
    const echo = await peer.call("echo", { message: "hi" });

    expect(handshake.answer?.["result"]).toMatchObject({ protocolVersion: "2024-11-05" });
    expect(echo.answer?.["result"]).toMatchObject({ content: [{ type: "text", text: "Echo: hi" }] });
    expect(peer.warnings).toEqual([]);
    expect(peer.closed).toEqual([]);
  });

  it("speaks 2026-07-28 with the official library: discovery, list, calls over JSON and over a stream, errors", async () => {
    const server = await fixture("httpModern.mjs");
    const peer = await connect(server.url);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
      progressToken: "p",
    };
    const call = (name: string, text: string) =>
      peer.request(
        "tools/call",
        { name, arguments: { text }, _meta: meta },
        { headers: { "Mcp-Name": name } },
      );

    const discovered = await peer.request("server/discover", { _meta: meta });
    peer.transport.agreed("2026-07-28");
    const list = await peer.request("tools/list", { _meta: meta });
    const echo = await call("echo", "hi");
    const steps = await call("steps", "done");
    const wrongHeader = await peer.request(
      "tools/call",
      { name: "echo", arguments: { text: "hi" }, _meta: meta },
      { headers: { "Mcp-Name": "other" } },
    );
    await peer.transport.close();

    expect(discovered.answer?.["result"]).toMatchObject({ supportedVersions: ["2026-07-28"] });
    expect(list.answer?.["result"]).toMatchObject({ tools: [{ name: "echo" }, { name: "steps" }] });
    expect(echo.answer?.["result"]).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    expect(steps.answer?.["result"]).toMatchObject({ content: [{ type: "text", text: "done" }] });
    expect(peer.messages.filter((each) => each["method"] === "notifications/progress")).toHaveLength(1);
    expect(wrongHeader.loss).toMatchObject({ sent: "yes", error: { code: -32020 } });
    expect(await server.stats()).toEqual({
      requests: ["server/discover", "tools/list", "tools/call", "tools/call", "tools/call"].map((mcp) => ({
        method: "POST",
        mcp,
      })),
    });
  });
});

/** Starts server-everything on a free port; ended when the test ends. */
async function startEverything(kind: "sse" | "streamableHttp"): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await new Promise<void>((resolve, reject) => {
    let told = "";
    child.stderr.on("data", (chunk) => {
      told += String(chunk);
      if (/on port/.test(told)) resolve();
    });
    void exited.then(() => reject(new Error(told)));
  });
  return `http://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
