import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectService, findService, serve, tokenPath, type ServiceClient } from "../../src/http/index.js";
import type { Fact, Supervisor, SupervisorOptions } from "../../src/index.js";
import { nextFact, running, scripted, temporaryFolder } from "../support.js";
import { until } from "./rig.js";

interface Stage {
  readonly supervisor: Supervisor;
  readonly client: ServiceClient;
  readonly url: string;
  readonly token: string;
  readonly home: string;
}

const secret = "s3cret-value-of-the-test";

async function stage(options: SupervisorOptions = {}): Promise<Stage> {
  const home = temporaryFolder();
  const supervisor = await running(
    [
      scripted("one", "scripted.mjs", [], { env: { API_KEY: secret } }),
      scripted("two", "scripted.mjs", [], { enabled: false }),
    ],
    { home, ...options },
  );
  const service = await serve(supervisor, { home, dashboard: false });
  onTestFinished(() => service.close());
  const info = await findService(home);
  if (info === undefined) throw new Error("the service has not said where it is");
  const client = await connectService(home, info);
  onTestFinished(() => client.close());
  return {
    supervisor,
    client,
    url: service.url,
    token: (await readFile(tokenPath(home), "utf8")).trim(),
    home,
  };
}

describe("the service over a real supervisor", () => {
  it("shows servers and tools and calls a tool in a child process", async () => {
    const { client } = await stage();

    const servers = await client.servers();
    const result = await client.call("mcp_one_echo", { text: "hello" });

    expect(servers.map(({ id, state }) => [id, state])).toEqual([
      ["one", "ready"],
      ["two", "disabled"],
    ]);
    expect((await client.tools()).map((tool) => tool.name)).toContain("mcp_one_echo");
    expect(result).toMatchObject({
      ok: true,
      text: "hello",
      call: { server: "one", tool: "echo", sent: "yes" },
    });
  });

  it("never shows the value of a secret", async () => {
    const { url, token, client } = await stage();
    await client.call("mcp_one_echo", { text: "x" });
    const texts: string[] = [];
    for (const path of ["/api/mcp/servers", "/api/mcp/servers/one", "/api/mcp/tools", "/metrics"]) {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      texts.push(await answer.text());
    }

    expect(texts.join("\n")).not.toContain(secret);
    expect(texts[1]).toContain('"API_KEY":"********"');
  });

  it("keeps a stored value when `********` is posted back", async () => {
    const { client } = await stage();
    const config = scripted("one", "scripted.mjs", [], { env: { API_KEY: "********" }, name: "renamed" });

    await client.saveServer(config);
    await client.connect("one");

    expect((await client.server("one")).name).toBe("renamed");
    expect((await client.call("mcp_one_env", { name: "API_KEY" })).text).toMatch(
      /^(s3cret-value-of-the-test|\*+)$/,
    );
  });

  it("adds, enables, disables, restarts and removes servers, each with its facts", async () => {
    const { client } = await stage();
    await expect(client.connect("two")).rejects.toMatchObject({ status: 409, code: "server-disabled" });

    expect((await client.enable("two")).enabled).toBe(true);
    expect((await client.connect("two")).state).toBe("ready");
    expect((await client.restart("two")).generation).toBe(2);
    expect((await client.disable("two")).enabled).toBe(false);
    await client.saveServer(scripted("three", "scripted.mjs"));
    expect((await client.connect("three")).state).toBe("ready");
    await client.removeServer("three");
    await until(async () => (await client.servers()).every((each) => each.id !== "three"));
    await expect(client.server("three")).rejects.toMatchObject({ code: "server-not-found" });
  });

  it("runs no command for somebody without the token (C098)", async () => {
    const { supervisor, url, token, home } = await stage();
    const file = join(home, "was-run");
    const entry = { id: "evil", command: "touch", args: [file], lazy: false };
    const add = (headers: Record<string, string>): Promise<number> =>
      fetch(`${url}/api/mcp/servers`, { method: "POST", headers, body: JSON.stringify(entry) }).then(
        (answer) => answer.status,
      );
    const json = { "content-type": "application/json" };

    expect(await add(json)).toBe(401);
    expect(await add({ ...json, authorization: "Bearer x" })).toBe(401);
    expect(await add({ "content-type": "text/plain" })).toBe(401);
    expect(await add({ "content-type": "text/plain", authorization: `Bearer ${token}` })).toBe(415);
    expect(await add({ ...json, authorization: `Bearer ${token}`, origin: "https://evil.example" })).toBe(
      403,
    );
    expect(supervisor.servers().map(({ id }) => id)).toEqual(["one", "two"]);
    expect(existsSync(file)).toBe(false);
  });

  it("says why a server cannot be connected", async () => {
    const { client } = await stage();
    await client.saveServer({ id: "nope", command: "/does/not/exist" });

    await expect(client.connect("nope")).rejects.toMatchObject({
      status: 502,
      code: "connect-failed",
      problem: { cause: { kind: "command-not-found" } },
    });
  });

  it("cancels a call when its client goes away", async () => {
    const { supervisor, url, token } = await stage();
    const started = nextFact(supervisor, "mcp.call.started");
    const settled = nextFact(supervisor, "mcp.call.settled");
    const outgoing = httpRequest(`${url}/api/mcp/tools/mcp_one_wait/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    outgoing.on("error", () => undefined);
    outgoing.end("{}");
    await started;
    outgoing.destroy();

    expect(await settled).toMatchObject({ ok: false, failure: "cancelled" });
  });

  it("asks over the API before a call runs, and runs it once allowed", async () => {
    const { client, supervisor } = await stage({ mode: "ask" });
    const asked = nextFact(supervisor, "mcp.approval.requested");
    const result = client.call("mcp_one_echo", { text: "please" });
    const { approval } = await asked;

    const [request] = await client.approvals();
    await client.approve(approval, "allow");

    expect(request).toMatchObject({
      id: approval,
      server: "one",
      tool: "echo",
      arguments: { text: "please" },
    });
    expect(await result).toMatchObject({ ok: true, text: "please" });
  });

  it("tells the life of a crash in the feed, and replays it to a late reader", async () => {
    const { client, supervisor } = await stage();
    const live: Fact[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const fact of client.events({ after: 0, signal: stop.signal })) live.push(fact);
    })();
    const gone = nextFact(supervisor, "mcp.disconnected");
    const broken = await client.call("mcp_one_exit", { code: 3 });
    await gone;
    await client.connect("one");
    await until(() => live.some((fact) => fact.type === "mcp.connected" && fact.generation === 2));
    const late: Fact[] = [];
    for await (const fact of client.events({ after: 0, servers: ["one"], types: ["mcp.state"] })) {
      late.push(fact);
      if (fact.type === "mcp.state" && fact.to === "ready" && fact.generation === 2) break;
    }
    stop.abort();
    await following;

    const path = late.flatMap((fact) => (fact.type === "mcp.state" ? [fact.to] : []));
    expect(broken).toMatchObject({ ok: false, failure: { kind: "outcome-unknown" } });
    expect(live.map((fact) => fact.seq)).toEqual(live.map((_, at) => at + 1));
    expect(path.filter((state) => state === "ready")).toHaveLength(2);
    expect(path.indexOf("closing")).toBeGreaterThan(path.indexOf("ready"));
  });

  it("is ready when its servers are, and counts what happened", async () => {
    const { client, url, token } = await stage();
    await client.call("mcp_one_echo", {});

    const ready = await fetch(`${url}/readyz`);
    const metrics = await (
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    ).text();

    expect(ready.status).toBe(200);
    expect(metrics).toContain('mcpvisor_calls_total{server="one",tool="echo",outcome="ok"} 1');
    expect(metrics).toContain('mcpvisor_server_up{server="one"} 1');
    expect(metrics).toContain('mcpvisor_server_state{server="two",state="disabled"} 1');
  });
});
