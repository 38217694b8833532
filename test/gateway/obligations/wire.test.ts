import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { serve } from "../../../src/http/index.js";
import { openGateway, saveConsumers } from "../../../src/gateway/index.js";
import { eventually, running, temporaryFolder } from "../../support.js";
import { afterTest, answer, behind, modern, modernEvents, post, rig } from "../rig.js";
import type { Json } from "../rig.js";
import { Upstream, said } from "../upstream.js";
import type { UpstreamKind } from "../upstream.js";

const call = { name: "up__run", arguments: {} };

/** Results of every kind that the revisions name, and of some that none does. */
const blocks: Json[] = [
  { type: "text", text: "plain" },
  {
    type: "text",
    text: "",
    annotations: { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" },
  },
  { type: "text", text: "\u2028 \u0000 \ud83d\ude00 \\n", _meta: { "a.b/c": [1, { d: null }] } },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "audio", data: "BBBB", mimeType: "audio/wav", annotations: {} },
  {
    type: "resource_link",
    uri: "file:///a%20b",
    name: "n",
    title: "t",
    description: "d",
    mimeType: "x/y",
    size: 1e12,
  },
  { type: "resource", resource: { uri: "a://b", text: "t", mimeType: "text/html", _meta: { x: 1 } } },
  { type: "resource", resource: { uri: "a://b", blob: "CCCC" } },
  { type: "hologram", depth: 3, parts: [{ type: "text", text: "inner" }] },
  { type: "tool_use", id: "1", name: "n", input: {} },
];
const shapes: Json[] = [
  ...blocks.map((block) => ({ content: [block] })),
  ...blocks.map((block) => ({ content: [block], isError: true })),
  ...blocks.map((block) => ({ content: blocks.slice(0, 4).concat(block), _meta: { block } })),
  { content: [], structuredContent: { a: [1, 2, { b: "c" }], "": 0, n: null } },
  { content: [], structuredContent: { big: 9_007_199_254_740_991, small: 1e-7, minus: -0.5 } },
  { content: [], isError: false },
  { content: [], isError: true, _meta: {} },
  { content: [], futureField: { deep: [[[[1]]]] } },
  { content: [{ type: "text", text: "x".repeat(300_000) }] },
  { content: blocks, structuredContent: { blocks } },
  { content: [], _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" }, other: "kept" } },
  { content: [{ type: "text", text: '{"json":true}' }], structuredContent: { json: true } },
  {
    content: [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
  },
];

describe("obligations: the wire", () => {
  it.each(["stdio", "http", "modern"] as UpstreamKind[])(
    "29: forty shapes of results pass whole (%s)",
    async (kind) => {
      const complete = kind === "modern" ? { resultType: "complete" } : {};
      const up = new Upstream(kind).on("tools/call", ({ params }) => ({
        ...complete,
        ...shapes[params["arguments"].at],
      }));
      const gate = await behind({ up });
      const token = gate.consumer("a");
      const session = await gate.session(token);
      expect(shapes).toHaveLength(40);

      for (const [at, shape] of shapes.entries()) {
        const params = { ...call, arguments: { at } };
        expect((await session.ask(at, "tools/call", params))["result"]).toEqual(shape);
        const got = await answer(await modern(`${gate.url}/mcp`, token, at, "tools/call", params));
        expect(got["result"]).toEqual({ resultType: "complete", ...shape });
      }
    },
  );

  it("29: errors of servers pass with their code, text and data", async () => {
    const error = { code: -31_999, message: "Out of paper", data: { tray: 2 } };
    const up = new Upstream("http").on("tools/call", () => ({ error }));
    const gate = await behind({ up });
    const session = await gate.session(gate.consumer("a"));
    expect((await session.ask(1, "tools/call", call))["error"]).toEqual(error);
  });

  it("30: names are taken in their base64 form; GET, DELETE and unknown versions are refused as the revision says", async () => {
    const up = new Upstream("http").tools([{ name: "löschen" }]).on("tools/call", () => said("done"));
    const gate = await behind({ up });
    const token = gate.consumer("a");
    const url = `${gate.url}/mcp/s/up`;
    const name = "löschen";
    const encoded = `=?base64?${Buffer.from(name).toString("base64")}?=`;
    const run = (header: string) =>
      modern(url, token, 1, "tools/call", { name }, { headers: { "mcp-name": header } });

    expect((await answer(await run(encoded)))["result"].content[0].text).toBe("done");
    for (const wrong of ["x", "=?base64?!!?=", `=?base64?${Buffer.from("other").toString("base64")}?=`])
      expect([(await run(wrong)).status, (await answer(await run(wrong)))["error"].code]).toEqual([
        400, -32_020,
      ]);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const headers = {
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": "2026-07-28",
        accept: "text/event-stream",
      };
      const response = await fetch(url, { method, headers });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const future = await modern(
      url,
      token,
      1,
      "tools/list",
      {},
      {
        headers: { "mcp-protocol-version": "2031-01-01" },
        meta: { "io.modelcontextprotocol/protocolVersion": "2031-01-01" },
      },
    );
    expect([future.status, (await answer(future))["error"].code]).toEqual([400, -32_022]);
  });

  it("30: bodies that are no message get the status that the revision names, and cost nothing else", async () => {
    const { rig: gate } = await rig([{ id: "up", tools: ["run"] }], { bodyBytes: 10_000 });
    const token = gate.consumer("a");
    const send = async (body: string, headers: Record<string, string> = {}) =>
      (await post(`${gate.url}/mcp`, token, body, { headers })).status;

    expect(await send("{")).toBe(400);
    expect(await send("[]")).toBe(400);
    expect(await send("null")).toBe(400);
    expect(await send("[".repeat(5000))).toBe(400);
    expect(await send('{"jsonrpc":"1.0","id":1,"method":"ping"}')).toBe(400);
    expect(await send('{"jsonrpc":"2.0","id":{},"method":"ping"}')).toBe(400);
    expect(await send(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(20_000)}"}`)).toBe(413);
    expect(await send("{}", { "content-type": "text/plain" })).toBe(415);
    expect(await send("{}", { accept: "text/html" })).toBe(406);
    const session = await gate.session(token);
    for (const params of [[], 1, "x"])
      expect((await session.ask(1, "tools/list", params as Json))["error"].code).toBe(-32_602);
    expect(await session.ask(2, "ping")).toMatchObject({ result: {} });
  });

  it("31: marks of header arguments survive renaming, and the server's own refusal is mended, not shown", async () => {
    const up = new Upstream("modern").tools([
      {
        name: "run",
        inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
      },
    ]);
    let refusals = 0;
    up.on("tools/call", ({ params }) => {
      if (refusals++ === 0) return { error: { code: -32_020, message: "Mcp-Param-Region is missing" } };
      return said(params["arguments"].region);
    });
    const gate = await behind({ up });
    const token = gate.consumer("a");
    const listed = await answer(await modern(`${gate.url}/mcp`, token, 1, "tools/list"));
    expect(listed["result"].tools[0]).toMatchObject({
      name: "up__run",
      inputSchema: { properties: { region: { "x-mcp-header": "Region" } } },
    });
    const params = { name: "up__run", arguments: { region: "eu" } };
    const run = (headers: Record<string, string>) =>
      modern(`${gate.url}/mcp`, token, 2, "tools/call", params, { headers });

    expect((await answer(await run({})))["error"].code).toBe(-32_020);
    expect((await answer(await run({ "mcp-param-region": "us" })))["error"].code).toBe(-32_020);
    expect(up.calls("tools/call")).toHaveLength(0);
    expect((await answer(await run({ "mcp-param-region": "eu" })))["result"].content[0].text).toBe("eu");
    expect(up.heads.at(-1)?.["mcp-param-region"]).toBe("eu");
    expect(refusals).toBe(2);
  });

  it("33: Host, Origin and token are judged before the body, alike on every path", async () => {
    const home = temporaryFolder();
    await saveConsumers(home, [], undefined);
    const supervisor = await running([], { home, consumers: true });
    const gateway = await openGateway(supervisor, { home });
    const added = gateway.consumers.add("a", {});
    const token = "token" in added ? (added.token ?? "") : "";
    const service = await serve(supervisor, {
      home,
      mounts: [gateway],
      consumers: gateway.consumers,
      dashboard: false,
      port: 0,
    });
    afterTest(() => service.close());
    const port = Number(new URL(service.url ?? "").port);
    const paths = ["/mcp", "/mcp/", "/mcp?x=1", "/mcp/s/files", "/mcp/link"];
    /** Sends a head alone, with a body that never comes. */
    const ask = (
      path: string,
      headers: Record<string, string>,
      method = "POST",
    ): Promise<{ status: number; cors: unknown }> =>
      new Promise((resolve, reject) => {
        const outgoing = request({
          host: "127.0.0.1",
          port,
          path,
          method,
          headers: {
            host: `127.0.0.1:${port}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "content-length": "1000",
            ...headers,
          },
        });
        outgoing.on("response", (response) => {
          resolve({
            status: response.statusCode ?? 0,
            cors: response.headers["access-control-allow-origin"],
          });
          outgoing.destroy();
        });
        outgoing.on("error", reject);
        outgoing.flushHeaders();
      });
    const authorization = `Bearer ${token}`;
    for (const path of paths) {
      for (const host of [
        "evil.test",
        `127.0.0.1.nip.io:${port}`,
        `localhost.evil.test:${port}`,
        "127.0.0.1.nip.io",
      ])
        expect([path, host, (await ask(path, { host, authorization })).status]).toEqual([path, host, 403]);
      for (const origin of ["http://evil.test", `http://127.0.0.1.nip.io:${port}`, "null"])
        expect([path, origin, (await ask(path, { origin, authorization })).status]).toEqual([
          path,
          origin,
          403,
        ]);
      if (path === "/mcp/link") continue;
      for (const wrong of ["", "Bearer mcpv_x", "Basic abc", `Bearer ${token}x`, `bearer  ${token}`])
        expect([path, wrong, (await ask(path, wrong === "" ? {} : { authorization: wrong })).status]).toEqual(
          [path, wrong, 401],
        );
      const preflight = await ask(
        path,
        {
          origin: `http://127.0.0.1:${port}`,
          authorization,
          "access-control-request-method": "POST",
          "content-length": "0",
        },
        "OPTIONS",
      );
      expect(preflight.cors).toBeUndefined();
    }
  });

  it("35: a reader that stops loses its own stream, and the others notice nothing", async () => {
    const text = "x".repeat(64 * 1024);
    const up = new Upstream("http").on("tools/call", async ({ meta, notify, signal, params }) => {
      if (params["arguments"].flood !== true) return said("quick");
      for (let progress = 1; progress < 400 && !signal.aborted; progress++) {
        notify("notifications/progress", { progressToken: meta["progressToken"], progress, message: text });
        await new Promise((done) => setImmediate(done));
      }
      await new Promise((done) => setTimeout(done, 500));
      return said("done");
    });
    const gate = await behind({ up });
    const token = gate.consumer("slow");
    const session = await gate.session(token);
    const other = await gate.session(gate.consumer("quick"));
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "up__run", arguments: { flood: true }, _meta: { progressToken: 1 } },
    });
    const { port } = new URL(gate.url);
    const socket = connect(Number(port), "127.0.0.1");
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      [
        `POST /mcp HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${token}`,
        `Mcp-Session-Id: ${session.id}`,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "",
        body,
      ].join("\r\n"),
    );
    await eventually(() => up.calls("tools/call").length === 1, "the flood");
    const took: number[] = [];
    for (let at = 0; at < 30; at++) {
      const start = performance.now();
      expect((await other.ask(at, "tools/call", call))["result"].content[0].text).toBe("quick");
      took.push(performance.now() - start);
    }
    await eventually(() => gate.gateway.figures().answers === 0, "the slow reader's stream is ended");
    expect(Math.max(...took)).toBeLessThan(5000);
    socket.resume();
    await closed;
    await eventually(
      () => gate.gateway.consumers.list().every((each) => each.inFlight === 0),
      "its call is settled",
    );
  });

  it("40: legacy tasks of a server are carried out behind the call", async () => {
    const up = new Upstream("stdio", { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } });
    up.tools([{ name: "run", execution: { taskSupport: "required" } }]);
    const at = "2026-01-01T00:00:00Z";
    let looks = 0;
    const task = () => ({
      taskId: "t1",
      status: ++looks < 3 ? "working" : "completed",
      createdAt: at,
      lastUpdatedAt: at,
      ttl: null,
      pollInterval: 20,
    });
    up.on("tools/call", () => ({ task: task() }))
      .on("tasks/get", task)
      .on("tasks/result", () => said("by a task"));
    const gate = await behind({ up });
    const session = await gate.session(gate.consumer("a"));
    expect((await session.ask(1, "tools/list"))["result"].tools[0]).not.toHaveProperty("execution");
    expect((await session.ask(2, "tools/call", call))["result"].content[0].text).toBe("by a task");
    expect((await session.ask(3, "tasks/get", { taskId: "t1" }))["error"].code).toBe(-32_601);
  });

  it("40: a task of a modern server is carried out behind the call of any consumer", async () => {
    const up = new Upstream("modern");
    let looks = 0;
    const handle = { resultType: "task", taskId: "t1", status: "working", pollIntervalMs: 20, ttlMs: null };
    up.on("tools/call", () => handle).on("tasks/get", () =>
      ++looks < 3
        ? { ...handle, resultType: "complete" }
        : {
            ...handle,
            resultType: "complete",
            status: "completed",
            result: { content: [{ type: "text", text: "by a task" }] },
          },
    );
    const gate = await behind({ up });
    const token = gate.consumer("a");
    const session = await gate.session(token);
    expect((await session.ask(2, "tools/call", call))["result"].content[0].text).toBe("by a task");
    looks = 0;
    const stream = await modernEvents(`${gate.url}/mcp`, token, 1, "tools/call", call);
    expect((await stream.answer())["result"].content[0].text).toBe("by a task");
  });

  it("40: a modern consumer that carries tasks gets handles of its own, and what it says of them reaches the server", async () => {
    const tasks = { "io.modelcontextprotocol/tasks": {} };
    const up = new Upstream("modern", { tools: {}, extensions: tasks });
    const state = { taskId: "t+1", status: "working", ttlMs: null };
    up.on("tools/call", () => ({ resultType: "task", ...state }))
      .on("tasks/get", () => ({
        resultType: "complete",
        ...state,
        status: "completed",
        result: { content: [{ type: "text", text: "by a task" }] },
      }))
      .on("tasks/update", () => ({ resultType: "complete" }))
      .on("tasks/cancel", () => ({ resultType: "complete" }));
    const gate = await behind({ up });
    const [token, other] = [gate.consumer("a"), gate.consumer("b")];
    const url = `${gate.url}/mcp`;
    const declared = { capabilities: { extensions: tasks } };
    const ask = async (who: string, method: string, params: Json = {}, options: Json = declared) =>
      answer(await modern(url, who, 1, method, params, options));

    expect((await ask(token, "server/discover"))["result"].capabilities.extensions).toEqual(tasks);
    const begun = (await ask(token, "tools/call", call))["result"];
    expect(begun).toEqual({ resultType: "task", ...state, taskId: expect.stringMatching(/^up\+[\w-]+$/) });
    expect(up.calls("tasks/get")).toEqual([]);
    const { taskId } = begun;
    expect((await ask(token, "tasks/get", { taskId }))["result"]).toEqual({
      resultType: "complete",
      ...state,
      taskId,
      status: "completed",
      result: { content: [{ type: "text", text: "by a task" }] },
    });
    const inputResponses = { q: { action: "decline" } };
    expect((await ask(token, "tasks/update", { taskId, inputResponses }))["result"]).toEqual({
      resultType: "complete",
    });
    expect((await ask(token, "tasks/cancel", { taskId }))["result"]).toEqual({ resultType: "complete" });
    const heard = ["tasks/get", "tasks/update", "tasks/cancel"].flatMap((each) => up.calls(each));
    expect(heard.map(({ params }) => [params["taskId"], params["inputResponses"]])).toEqual([
      ["t+1", undefined],
      ["t+1", inputResponses],
      ["t+1", undefined],
    ]);
    expect(up.heads.map((each) => each["mcp-name"]).filter((each) => each === "t+1")).toHaveLength(3);

    const forged = [`up+${"A".repeat(taskId.length - 3)}`, "t+1", "up", "+", taskId.slice(0, -1), 7];
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const each of forged)
        expect((await ask(token, method, { taskId: each }))["error"].code).toBe(-32_602);
      expect((await ask(other, method, { taskId }))["error"].code).toBe(-32_602);
      expect((await ask(token, method, { taskId }, {}))["error"].code).toBe(-32_021);
    }
    expect(["tasks/get", "tasks/update", "tasks/cancel"].flatMap((each) => up.calls(each))).toHaveLength(3);
  });

  it("40: a question or a task that the consumer carries on is told without a warning, and as a call that went well", async () => {
    const tasks = { "io.modelcontextprotocol/tasks": {} };
    const up = new Upstream("modern");
    up.tools([{ name: "run", outputSchema: { type: "object", required: ["a"] } }]).on("tools/call", () => ({
      resultType: "task",
      taskId: "t1",
      status: "working",
      ttlMs: null,
    }));
    const gate = await behind({ up });
    const told: Json[] = [];
    const subscription = gate.supervisor.events$.subscribe((fact) => told.push(fact));
    afterTest(() => subscription.unsubscribe());
    const token = gate.consumer("a");
    const capabilities = { extensions: tasks };
    await answer(await modern(`${gate.url}/mcp`, token, 1, "tools/call", call, { capabilities }));
    const end = told.find((each) => each["type"] === "mcp.call.settled");
    expect(end).toMatchObject({ tool: "run", ok: true, resultChars: 0 });
    expect(gate.supervisor.servers()[0]?.warnings ?? []).toEqual([]);
  });
});
