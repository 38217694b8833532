import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApi } from "../../src/http/index.js";
import { ConfigError } from "../../src/index.js";
import { approvalOf, fakeSupervisor, resultOf, toolOf } from "./fakeSupervisor.js";
import { rig, until } from "./rig.js";

describe("servers", () => {
  it("lists servers, one server, and the tools of one", async () => {
    const { fake, ask } = await rig();
    fake.set({ id: "files" });
    fake.set({ id: "mail", state: "parked" });
    fake.setTools([toolOf("files", "read"), toolOf("mail", "send")]);

    const servers = (await (await ask("GET", "/api/mcp/servers")).json()) as { id: string; state: string }[];
    const one = (await (await ask("GET", "/api/mcp/servers/mail")).json()) as { state: string };
    const tools = (await (await ask("GET", "/api/mcp/servers/mail/tools")).json()) as { name: string }[];

    expect(servers.map(({ id, state }) => [id, state])).toEqual([
      ["files", "ready"],
      ["mail", "parked"],
    ]);
    expect(one.state).toBe("parked");
    expect(tools.map((tool) => tool.name)).toEqual(["mcp_mail_send"]);
  });

  it("answers 404 with a stable type for a server that is not there", async () => {
    const { ask } = await rig();

    const answer = await ask("GET", "/api/mcp/servers/nobody");

    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toEqual({
      type: "urn:mcpvisor:problem:server-not-found",
      title: 'There is no server "nobody"',
      status: 404,
      code: "server-not-found",
    });
  });

  it("lists no consumers where there is no gateway, as a page that asks for them is not to complain", async () => {
    const { ask } = await rig();

    const listed = await ask("GET", "/api/mcp/consumers");
    const added = await ask("POST", "/api/mcp/consumers", { name: "agent" });

    expect([listed.status, await listed.json()]).toEqual([200, []]);
    expect([added.status, await added.json()]).toMatchObject([404, { code: "gateway-off" }]);
  });

  it("adds with 201, changes with 200, and hands masked values on for the store to keep", async () => {
    const { fake, ask } = await rig();
    const entry = { id: "files", command: "node", env: { TOKEN: "********" } };

    const added = await ask("POST", "/api/mcp/servers", entry);
    const changed = await ask("POST", "/api/mcp/servers", { ...entry, enabled: false });

    expect([added.status, changed.status]).toEqual([201, 200]);
    expect(fake.saved).toEqual([entry, { ...entry, enabled: false }]);
  });

  it("replaces with PUT, whose body has the id of the address", async () => {
    const { fake, ask } = await rig();
    const entry = { id: "files", command: "node" };

    const added = await ask("PUT", "/api/mcp/servers/files", entry);
    const replaced = await ask("PUT", "/api/mcp/servers/files", entry);
    const other = await ask("PUT", "/api/mcp/servers/other", entry);

    expect([added.status, replaced.status, other.status]).toEqual([201, 200, 409]);
    expect(added.headers.get("location")).toBe("/api/mcp/servers/files");
    expect(await other.json()).toMatchObject({ code: "id-differs" });
    expect(fake.saved).toEqual([entry, entry]);
  });

  it.each([
    ["POST", "/api/mcp/servers", { id: "files", command: "node" }],
    ["PUT", "/api/mcp/servers/files", { id: "files", command: "node" }],
    ["DELETE", "/api/mcp/servers/files", undefined],
  ] as const)("changes with %s only the version that the caller has seen", async (method, path, body) => {
    const { fake, ask } = await rig();
    fake.set({ id: "files", state: "idle" });
    const etag = (await ask("GET", "/api/mcp/servers/files")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);

    const stale = await ask(method, path, body, { "if-match": '"another"' });
    const taken = await ask(method, path, body, { "if-none-match": "*" });
    expect([stale.status, taken.status]).toEqual([412, 412]);
    expect(await stale.json()).toMatchObject({ code: "entry-changed" });
    expect(fake.saved).toEqual([]);

    const fits = await ask(method, path, body, { "if-match": `"x", ${etag}` });
    expect(fits.status).toBe(method === "DELETE" ? 204 : 200);
  });

  it.each(["PUT", "POST", "DELETE"])(
    "lets one of two through that name the same version (%s)",
    async (method) => {
      const { fake, ask } = await rig();
      fake.set({ id: "files", state: "idle" });
      const etag = (await ask("GET", "/api/mcp/servers/files")).headers.get("etag") ?? "";
      const path = method === "POST" ? "/api/mcp/servers" : "/api/mcp/servers/files";
      // As a real one, it takes its time, and the entry is another one after it.
      const { onSave } = fake;
      fake.onSave = async (config) => {
        // Long enough for the other one, if it is let in.
        for (let look = 0; look < 50 && fake.saved.length < 2; look++)
          await new Promise((resolve) => setTimeout(resolve, 10));
        return onSave(config);
      };
      const both = await Promise.all(
        ["one", "two"].map((name) => {
          const body = method === "DELETE" ? undefined : { id: "files", name, command: "node" };
          return ask(method, path, body, { "if-match": etag });
        }),
      );
      const statuses = both.map((each) => each.status).toSorted((a, b) => a - b);
      expect(statuses).toEqual(method === "DELETE" ? [204, 404] : [200, 412]);
    },
  );

  it("says where an entry is wrong", async () => {
    const { fake, ask } = await rig();
    fake.onSave = () =>
      Promise.reject(
        new ConfigError("bad entry", [
          { severity: "error", message: "must be text.", path: "command", hint: "Write a path." },
        ]),
      );

    const shape = await ask("POST", "/api/mcp/servers", { id: "Not An Id" });
    const sense = await ask("POST", "/api/mcp/servers", { id: "files" });

    expect(shape.status).toBe(400);
    expect(await shape.json()).toMatchObject({ code: "invalid-request", errors: [{ pointer: "/id" }] });
    expect(sense.status).toBe(422);
    expect(await sense.json()).toMatchObject({
      code: "invalid-config",
      errors: [{ pointer: "/command", detail: "must be text. Write a path." }],
    });
  });

  it("connects, disconnects and restarts", async () => {
    const { fake, ask } = await rig();
    fake.set({ id: "files", state: "idle" });

    for (const action of ["connect", "disconnect", "restart"]) {
      expect((await ask("POST", `/api/mcp/servers/files/${action}`)).status).toBe(200);
    }

    expect(fake.actions).toEqual(["connect files", "disconnect files", "restart files"]);
  });

  it("answers 409 for a disabled server and 502 with the cause for one that cannot connect", async () => {
    const { fake, ask } = await rig();
    fake.set({ id: "off", enabled: false, state: "disabled" });
    fake.set({ id: "bad", state: "idle" });
    fake.onAction = async () => ({
      state: "parked",
      lastError: { kind: "command-not-found", message: 'server "bad": command "nope" was not found' },
    });

    const off = await ask("POST", "/api/mcp/servers/off/connect");
    const bad = await ask("POST", "/api/mcp/servers/bad/connect");

    expect(off.status).toBe(409);
    expect(await off.json()).toMatchObject({ code: "server-disabled" });
    expect(bad.status).toBe(502);
    expect(await bad.json()).toMatchObject({
      code: "connect-failed",
      detail: 'server "bad": command "nope" was not found',
      cause: { kind: "command-not-found" },
      state: "parked",
    });
    expect(fake.actions).toEqual(["connect bad"]);
  });

  it("refuses a restart whose new life did not come up, although the server goes on in its old one", async () => {
    const { ask, fake } = await rig();
    fake.set({ id: "web", state: "ready", generation: 4 });
    fake.onAction = async () => ({
      state: "ready",
      generation: 4,
      lastError: { kind: "auth-required", message: 'server "web": its new life did not come up' },
    });

    const answer = await ask("POST", "/api/mcp/servers/web/restart");

    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      code: "restart-failed",
      detail: 'server "web": its new life did not come up',
      cause: { kind: "auth-required" },
      state: "ready",
    });
  });

  it("removes a server once", async () => {
    const { fake, ask } = await rig();
    fake.set({ id: "files" });

    expect((await ask("DELETE", "/api/mcp/servers/files")).status).toBe(204);
    expect((await ask("DELETE", "/api/mcp/servers/files")).status).toBe(404);
  });

  it("tells what is wrong with the configuration", async () => {
    const { fake, ask } = await rig();
    fake.found = [{ severity: "warning", message: "a secret is written out", server: "mail", line: 3 }];

    expect(await (await ask("GET", "/api/mcp/problems")).json()).toEqual(fake.found);
  });
});

describe("tools", () => {
  it("answers 200 with the result of a call, also when the call failed", async () => {
    const { fake, ask } = await rig();
    fake.onCall = async (name) => ({
      ...resultOf(name, "no such file"),
      ok: false,
      failure: { kind: "tool-error", message: "no such file" },
    });

    const answer = await ask("POST", "/api/mcp/tools/mcp_files_read/call", {
      arguments: { path: "a" },
      timeout: "5s",
      caller: "test",
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ ok: false, failure: { kind: "tool-error" } });
    expect(fake.calls).toMatchObject([
      { name: "mcp_files_read", args: { path: "a" }, options: { timeout: "5s", caller: "test" } },
    ]);
  });

  it("cancels the call when the client goes away", async () => {
    const { fake, service, token } = await rig();
    let signal: AbortSignal | undefined;
    fake.onCall = (name, _args, options) => {
      signal = options.signal;
      return new Promise((resolve) =>
        options.signal?.addEventListener("abort", () => resolve(resultOf(name, ""))),
      );
    };

    const outgoing = httpRequest(`${service.url}/api/mcp/tools/mcp_files_read/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    outgoing.on("error", () => undefined);
    outgoing.end("{}");
    await until(() => signal !== undefined);
    expect(signal?.aborted).toBe(false);
    outgoing.destroy();

    await until(() => signal?.aborted === true);
  });

  it("lists approvals and takes one decision", async () => {
    const { fake, ask } = await rig();
    fake.ask(approvalOf("a1"));

    expect(await (await ask("GET", "/api/mcp/approvals")).json()).toMatchObject([
      { id: "a1", tool: "write" },
    ]);
    expect((await ask("POST", "/api/mcp/approvals/a1", { decision: "perhaps" })).status).toBe(400);
    expect((await ask("POST", "/api/mcp/approvals/a1", { decision: "allow" })).status).toBe(204);
    expect((await ask("POST", "/api/mcp/approvals/a1", { decision: "deny" })).status).toBe(404);
    expect(fake.decisions).toEqual([{ id: "a1", decision: "allow" }]);
  });
});

describe("health", () => {
  it("answers probes without a token and without names", async () => {
    const { fake, service } = await rig();
    fake.set({ id: "secret-name" });
    const probe = async (path: string): Promise<[number, string]> => {
      const answer = await fetch(service.url + path);
      return [answer.status, await answer.text()];
    };

    expect(await probe("/healthz")).toEqual([200, '{"status":"ok"}']);
    expect(await probe("/readyz")).toEqual([200, '{"ready":true}']);
    fake.isReady = false;
    expect(await probe("/readyz")).toEqual([503, '{"ready":false}']);
    expect((await probe("/metrics"))[0]).toBe(401);
  });

  it("counts calls, states, restarts and its own health for Prometheus", async () => {
    const { fake, ask } = await rig();
    fake.set({ id: "files", inFlight: 3, queued: 7 });
    fake.set({ id: "mail", state: "parked" });
    const cause = { kind: "retry", message: "again" } as const;
    fake.publish({
      type: "mcp.state",
      id: "files",
      generation: 2,
      from: "reconnecting",
      to: "connecting",
      cause,
    });
    for (const failure of [undefined, "timeout"] as const) {
      fake.publish({
        type: "mcp.call.settled",
        call: "c",
        id: "files",
        tool: "read",
        name: "mcp_files_read",
        ok: failure === undefined,
        ...(failure === undefined ? {} : { failure }),
        sent: "yes",
        queuedMs: 10,
        durationMs: failure === undefined ? 5020 : 10,
        ...(failure === undefined ? { approvalMs: 5000 } : {}),
        resultChars: 1,
      });
    }

    const text = await (await ask("GET", "/metrics")).text();

    for (const line of [
      'mcpvisor_calls_total{server="files",tool="read",outcome="ok"} 1',
      'mcpvisor_calls_total{server="files",tool="read",outcome="timeout"} 1',
      'mcp_client_operation_duration_seconds_sum{server="files",tool="read"} 0.01',
      'mcpvisor_call_wait_seconds_sum{server="files",tool="read",for="place"} 0.02',
      'mcpvisor_call_wait_seconds_sum{server="files",tool="read",for="person"} 5',
      'mcp_client_operation_duration_seconds_bucket{le="0.01",server="files",tool="read"} 2',
      'mcpvisor_server_restarts_total{server="files"} 1',
      'mcpvisor_server_state{server="mail",state="parked"} 1',
      'mcpvisor_server_parked{server="mail"} 1',
      'mcpvisor_server_up{server="files"} 1',
      'mcpvisor_calls_in_flight{server="files"} 3',
      'mcpvisor_calls_queued{server="files"} 7',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  });

  it("hides what a failure of its own was about, and tells the host", async () => {
    const seen: unknown[] = [];
    const { fake, ask } = await rig({ onError: (error) => seen.push(error) });
    fake.set({ id: "files" });
    fake.onAction = () => Promise.reject(new Error("internal detail"));

    const answer = await ask("POST", "/api/mcp/servers/files/connect");

    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("internal detail");
    expect(seen).toMatchObject([{ message: "internal detail" }]);
  });
});

describe("mounted in a host's own server", () => {
  it("refuses to be open", () => {
    expect(() => createApi(fakeSupervisor(), {})).toThrow(ConfigError);
  });

  it("answers web requests and asks the host who may come in", async () => {
    const fake = fakeSupervisor();
    fake.set({ id: "files" });
    const api = createApi(fake, {
      authorize: (request) => request.headers.get("x-user") === "ann",
      hosts: ["app.example"],
      origins: ["https://app.example"],
      dashboard: false,
      metrics: false,
    });
    onTestFinished(() => api.close());
    const get = (headers: Record<string, string>): Promise<Response> =>
      Promise.resolve(api.fetch(new Request("http://app.example/api/mcp/servers", { headers })));

    expect((await get({ "x-user": "ann", origin: "https://app.example" })).status).toBe(200);
    expect((await get({ "x-user": "bob" })).status).toBe(401);
    expect((await get({ "x-user": "ann", origin: "https://evil.example" })).status).toBe(403);
  });

  it("streams the feed as a web stream", async () => {
    const fake = fakeSupervisor();
    const api = createApi(fake, { authorize: () => true, dashboard: false, metrics: false });
    onTestFinished(() => api.close());
    fake.publish({ type: "mcp.retired", id: "one" });

    const answer = await api.fetch(new Request("http://localhost/api/mcp/events?after=0"));
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const readUntil = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await readUntil('"id":"one"');
    fake.publish({ type: "mcp.retired", id: "two" });
    await readUntil('"id":"two"');
    await reader.cancel();

    expect(text).toMatch(/id: 1\nevent: mcp\.retired\ndata: .*\n\nid: 2\nevent: mcp\.retired\n/);
  });

  it("works in an http server of Node with nothing but fetch", async () => {
    const fake = fakeSupervisor();
    const api = createApi(fake, { token: "t".repeat(43), dashboard: false, metrics: false });
    const server = createServer((incoming, outgoing) => {
      const url = `http://${incoming.headers.host ?? ""}${incoming.url ?? ""}`;
      const headers = { authorization: incoming.headers.authorization ?? "" };
      void Promise.resolve(api.fetch(new Request(url, { headers }))).then(async (answer) =>
        outgoing.writeHead(answer.status).end(await answer.text()),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      api.close();
    });

    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/mcp/servers`, {
      headers: { authorization: `Bearer ${"t".repeat(43)}` },
    });

    expect(await answer.json()).toEqual([]);
  });
});
