import { describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { discovery, modernAnswer, scriptHttp } from "../eras/httpServer.js";
import type { Answer, Scripted, Seen } from "../eras/httpServer.js";
import { eventually, running } from "../support.js";

async function connected(server: Scripted): Promise<Supervisor> {
  // A tool whose definition has changed is asked about again.
  return running([{ id: "web", transport: "http", url: server.url }], { approve: () => "allow" });
}

function acknowledge(server: Scripted, one: Seen): void {
  const _meta = { "io.modelcontextprotocol/subscriptionId": one.id };
  server.event(one, {
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: one.params["notifications"], _meta },
  });
}

const marked = (properties: object): object => ({ type: "object", properties });
const region = { type: "string", "x-mcp-header": "Region" };

describe("request headers of 2026-07-28 (row 27)", () => {
  it("repeat method, version, name and marked arguments, nested ones too", async () => {
    const inputSchema = marked({
      region,
      options: { type: "object", properties: { depth: { type: "integer", "x-mcp-header": "Depth" } } },
      dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
      note: { type: "string", "x-mcp-header": "Note" },
      gone: { type: "string", "x-mcp-header": "Gone" },
    });
    const server = await scriptHttp((one) => modernAnswer(one, [{ name: "größe", inputSchema }]));
    const supervisor = await connected(server);

    const args = { region: "eu", options: { depth: -2 }, dry: false, note: "line\n", gone: null };
    await supervisor.callTool(supervisor.tools()[0]?.name ?? "", args);

    const call = server.seen.find(({ method }) => method === "tools/call");
    expect(call?.headers).toMatchObject({
      "mcp-method": "tools/call",
      "mcp-protocol-version": "2026-07-28",
      "mcp-name": "=?base64?Z3LDtsOfZQ==?=",
      "mcp-param-region": "eu",
      "mcp-param-depth": "-2",
      "mcp-param-dry-run": "false",
      "mcp-param-note": "=?base64?bGluZQo=?=",
    });
    expect(call?.headers["mcp-param-gone"]).toBeUndefined();
    expect(call?.params["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "mcpvisor" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  });

  it("withhold a tool with invalid marks, with one warning, and no other", async () => {
    const tools = [
      { name: "good", inputSchema: marked({ region }) },
      { name: "twice", inputSchema: marked({ a: region, b: { type: "string", "x-mcp-header": "REGION" } }) },
      { name: "list", inputSchema: marked({ a: { type: "array", items: region } }) },
    ];
    const server = await scriptHttp((one) => modernAnswer(one, tools));
    const supervisor = await connected(server);

    expect(supervisor.tools().map(({ tool }) => tool)).toEqual(["good"]);
    expect(supervisor.servers()[0]?.warnings).toEqual([
      'tool "twice" is withheld: x-mcp-header "REGION" is there twice',
      'tool "list" is withheld: x-mcp-header on argument "a" cannot be reached through properties alone',
    ]);
  });

  it("are made anew from a fresh list when the server refuses them, once (row 28)", async () => {
    let header = "Old";
    const calls: Seen[] = [];
    const server = await scriptHttp((one): Answer => {
      if (one.method !== "tools/call") {
        return modernAnswer(one, [
          { name: "echo", inputSchema: marked({ a: { type: "string", "x-mcp-header": header } }) },
        ]);
      }
      calls.push(one);
      if (one.headers["mcp-param-new"] === "1") return modernAnswer(one);
      header = "New";
      return { error: { code: -32020, message: "HeaderMismatch" }, status: 400 };
    });
    const supervisor = await connected(server);

    expect((await supervisor.callTool("mcp_web_echo", { a: "1" })).text).toBe('{"a":"1"}');
    expect(calls.map(({ headers }) => headers["mcp-param-old"])).toEqual(["1", undefined]);

    header = "Never";
    expect(await supervisor.callTool("mcp_web_echo", { a: "2" })).toMatchObject({
      ok: false,
      failure: { kind: "protocol-error", code: -32020 },
    });
    expect(calls).toHaveLength(4);
  });
});

describe("a call over HTTP of 2026-07-28", () => {
  it("is cancelled by ending its exchange, without a word (row 16)", async () => {
    const server = await scriptHttp((one) => (one.method === "tools/call" ? undefined : modernAnswer(one)));
    const supervisor = await connected(server);

    const result = await supervisor.callTool("mcp_web_echo", {}, { timeout: 300 });

    expect(result).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    await eventually(() => server.aborted.length > 0, "the exchange ends");
    expect(server.aborted.map(({ method }) => method)).toEqual(["tools/call"]);
    expect(server.methods()).not.toContain("cancelled");
  });

  it("that may have run is not sent again when its stream breaks (row 3)", async () => {
    const server = await scriptHttp((one) => {
      if (one.method !== "tools/call") return modernAnswer(one);
      server.event(one, { method: "notifications/progress", params: { progressToken: one.id, progress: 1 } });
      server.end(one);
      return undefined;
    });
    const supervisor = await connected(server);

    expect(await supervisor.callTool("mcp_web_echo", {})).toMatchObject({
      ok: false,
      failure: { kind: "outcome-unknown" },
    });
    expect(server.seen.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });

  it("gets the JSON-RPC error of any 4xx body, with or without its id (row 29)", async () => {
    const server = await scriptHttp((one) =>
      one.method === "tools/call"
        ? { error: { code: -32602, message: "bad arguments" }, status: 400, id: null }
        : modernAnswer(one),
    );
    const supervisor = await connected(server);

    expect(await supervisor.callTool("mcp_web_echo", {})).toMatchObject({
      ok: false,
      failure: { kind: "protocol-error", code: -32602 },
    });
  });
});

describe("subscriptions over HTTP (row 32)", () => {
  it("are opened again after a drop, and the tools are listed again for the gap", async () => {
    const listens: Seen[] = [];
    let tools = [{ name: "echo", inputSchema: { type: "object" } }];
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ tools: { listChanged: true } }) };
      if (one.method !== "subscriptions/listen") return modernAnswer(one, tools);
      listens.push(one);
      acknowledge(server, one);
      return undefined;
    });
    const supervisor = await connected(server);
    await eventually(() => listens[0], "it is listened to");

    tools = [...tools, { name: "later", inputSchema: { type: "object" } }];
    if (listens[0] !== undefined) server.end(listens[0]);

    await eventually(() => supervisor.tools().length === 2, "the new tool shows");
    expect(listens.map(({ params }) => params["notifications"])).toEqual([
      { toolsListChanged: true },
      { toolsListChanged: true },
    ]);
    expect(supervisor.servers()[0]).toMatchObject({ state: "ready", generation: 1 });
  });

  it("move to the new life when the server is restarted: it serves all the time, and tells changes once", async () => {
    const listens: Seen[] = [];
    let tools = [{ name: "echo", inputSchema: { type: "object" } }];
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ tools: { listChanged: true } }) };
      if (one.method !== "subscriptions/listen") return modernAnswer(one, tools);
      listens.push(one);
      acknowledge(server, one);
      return undefined;
    });
    const supervisor = await connected(server);
    const states: string[] = [];
    supervisor.events$.subscribe((fact) => fact.type === "mcp.state" && states.push(fact.to));

    expect(await supervisor.server("web")!.restart()).toMatchObject({ state: "ready", generation: 2 });
    await eventually(() => listens.length === 2 && server.aborted.includes(listens[0]!), "the old one ends");
    tools = [...tools, { name: "later", inputSchema: { type: "object" } }];
    server.event(listens[1]!, {
      method: "notifications/tools/list_changed",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": listens[1]!.id } },
    });
    await eventually(() => supervisor.tools().length === 2, "the new tool shows");

    expect(states).toEqual(["replacing", "ready", "refreshing", "ready"]);
    expect(supervisor.server("web")!.status().warnings).toEqual([]);
  });

  it("are not needed: a server that refuses them stays ready, and is asked once", async () => {
    const server = await scriptHttp((one) =>
      one.method === "server/discover"
        ? { result: discovery({ tools: { listChanged: true } }) }
        : modernAnswer(one),
    );
    const supervisor = await connected(server);

    expect((await supervisor.callTool("mcp_web_echo", { a: 1 })).ok).toBe(true);
    const [status] = supervisor.servers();
    expect(status).toMatchObject({ state: "ready" });
    expect(status?.warnings).toContain("the server cannot be listened to; changes show with the next list");
    expect(server.seen.filter(({ method }) => method === "subscriptions/listen")).toHaveLength(1);
  });

  it("are checked: what the server does not honour is a warning", async () => {
    const server = await scriptHttp((one) => {
      if (one.method === "server/discover") return { result: discovery({ tools: { listChanged: true } }) };
      if (one.method !== "subscriptions/listen") return modernAnswer(one);
      const _meta = { "io.modelcontextprotocol/subscriptionId": one.id };
      server.event(one, {
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: {}, _meta },
      });
      return undefined;
    });
    const supervisor = await connected(server);

    const warning = await eventually(() => supervisor.servers()[0]?.warnings.at(-1), "a warning shows");
    expect(warning).toBe("the server will not tell about toolsListChanged; changes show with the next list");
  });
});
