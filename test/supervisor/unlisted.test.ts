import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { nextFact, running, scripted, supervise } from "../support.js";

/** A port that nobody listens on until `open` is called. */
async function lateServer(): Promise<{ url: string; open: () => Promise<void> }> {
  const server = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    open: () => new Promise((done) => server.listen(port, "127.0.0.1", done)),
  };
}

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
  if (id === undefined) return void response.writeHead(method === undefined ? 405 : 202).end();
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "late", version: "1" },
    },
    "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "here" }] },
  };
  const result = results[method ?? ""];
  const reply = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
}

const missing = scripted("gone", "nothing.mjs", [], { restart: "never" });

describe("a call of a tool that no list has", () => {
  it("joins the first try of its server", async () => {
    const supervisor = supervise([scripted("one", "scripted.mjs")]);
    await supervisor.start();
    expect(await supervisor.callTool("mcp_one_echo", { text: "early" })).toMatchObject({
      ok: true,
      text: "early",
    });
  });

  it("joins the coming try of a server that could not be reached yet", async () => {
    const late = await lateServer();
    const supervisor = supervise([{ id: "late", url: late.url }]);
    const planned = nextFact(supervisor, "mcp.state", ({ id, to }) => id === "late" && to === "reconnecting");
    await supervisor.start();
    await planned;
    const call = supervisor.callTool("mcp_late_echo", { n: 1 });
    await late.open();
    expect(await call).toMatchObject({ ok: true });
  });

  it("fails as unavailable with the try that it waited for", async () => {
    const supervisor = supervise([missing]);
    await supervisor.start();
    expect(await supervisor.callTool("mcp_gone_echo")).toMatchObject({
      ok: false,
      failure: { kind: "unavailable" },
      call: { sent: "no" },
    });
  });

  it("is unavailable, with the reason, when its server is disabled", async () => {
    const supervisor = await running([scripted("off", "scripted.mjs", [], { enabled: false })]);
    const result = await supervisor.callTool("mcp_off_echo");
    expect(result).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
    expect(result.text).toContain('server "off" is disabled');
  });

  it.each(["enableServer", "removeServer"] as const)("is unavailable after %s took it away", async (how) => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);
    await (how === "enableServer" ? supervisor.enableServer("one", false) : supervisor.removeServer("one"));
    const result = await supervisor.callTool("mcp_one_echo");
    expect(result).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
    expect(result.text).toMatch(/disabled|was removed from the configuration/);
  });

  it("is unknown at once where the server has told its tools, and where no server has such a name", async () => {
    const supervisor = await running([scripted("one", "scripted.mjs")]);
    for (const name of ["mcp_one_nothing", "mcp_two_echo", "echo", "", "mcp_", "__proto__"])
      expect(await supervisor.callTool(name)).toMatchObject({ ok: false, failure: { kind: "unknown-tool" } });
  });

  it("names the servers that are still starting beside an unknown name", async () => {
    const supervisor = supervise([scripted("slow", "scripted.mjs")]);
    await supervisor.start();
    const result = await supervisor.callTool("echo");
    expect(result).toMatchObject({ failure: { kind: "unknown-tool" } });
    expect(result.text).toMatch(/a server is still starting, its tools are not known yet: "slow" \(/);
  });

  it("is cancelled by its signal, ends with its time, and with the supervisor", async () => {
    const late = await lateServer();
    const supervisor = supervise([{ id: "late", url: late.url }]);
    const planned = nextFact(supervisor, "mcp.state", ({ id, to }) => id === "late" && to === "reconnecting");
    await supervisor.start();
    await planned;
    const controller = new AbortController();
    const cancelled = supervisor.callTool("mcp_late_echo", {}, { signal: controller.signal });
    controller.abort();
    expect(await cancelled).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
    expect(await supervisor.callTool("mcp_late_echo", {}, { timeout: 20 })).toMatchObject({
      failure: { kind: "unavailable" },
    });
    const left = supervisor.callTool("mcp_late_echo");
    await supervisor.stop();
    expect(await left).toMatchObject({ ok: false, failure: { kind: "unavailable" } });
  });

  it("one fact tells an outage, however many tries it takes", async () => {
    const late = await lateServer();
    const supervisor = supervise([{ id: "late", url: late.url }]);
    const told: string[] = [];
    supervisor.events$.subscribe((fact) => {
      if (fact.type === "mcp.error") told.push(fact.error.kind);
    });
    await supervisor.start();
    for (let tries = 0; tries < 4; tries++)
      await nextFact(supervisor, "mcp.state", ({ to }) => to === "reconnecting");
    expect(told).toEqual(["refused"]);
  });
});
