import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApi, tokenPath } from "../../src/http/index.js";
import { approvalOf, fakeSupervisor, resultOf } from "../http/fakeSupervisor.js";
import { rig, until } from "../http/rig.js";

/** What an agent's token opens; everything else of the API is closed to it, what is added later too. */
const openToAgents = [
  "GET /api/mcp/servers",
  "GET /api/mcp/servers/{id}",
  "GET /api/mcp/servers/{id}/tools",
  "GET /api/mcp/tools",
  "POST /api/mcp/tools/{name}/call",
];
const openToAll = ["GET /healthz", "GET /readyz", "POST /api/mcp/login"];

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

function routesOf(document: object): Route[] {
  const { paths } = document as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, "files"),
    })),
  );
}

const routes = routesOf(createApi(fakeSupervisor(), { token: "x".repeat(43), dashboard: false }).document());

describe("the token of agents", () => {
  it.each(routes.filter(({ name }) => !openToAll.includes(name)))("$name", async ({ name, method, path }) => {
    const { service, home, fake } = await rig();
    fake.set({ id: "files" });
    const agent = (await readFile(tokenPath(home, "agent"), "utf8")).trim();
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${agent}`, "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: "{}" }),
    });

    const body = await answer.text();
    const isForbidden = answer.status === 403 && body.includes("urn:mcpvisor:problem:forbidden");
    expect({ body, isForbidden }).toMatchObject({ isForbidden: !openToAgents.includes(name) });
  });

  it("is asked about every route there is", () => {
    const known = routes.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining([...openToAgents, ...openToAll]));
    expect(known.length).toBeGreaterThan(20);
  });

  it("calls, and cannot answer the question that its own call raises", async () => {
    const { service, home, fake, ask } = await rig();
    fake.set({ id: "files" });
    fake.ask(approvalOf("approval-1"));
    const agent = (await readFile(tokenPath(home, "agent"), "utf8")).trim();
    const decide = (token: string): Promise<number> =>
      fetch(`${service.url}/api/mcp/approvals/approval-1`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ decision: "allow" }),
      }).then(({ status }) => status);

    expect(await decide(agent)).toBe(403);
    expect(await (await ask("GET", "/api/mcp/approvals")).json()).toHaveLength(1);
    expect(await decide((await readFile(tokenPath(home), "utf8")).trim())).toBe(204);
  });

  it("is another than the one that decides", async () => {
    const { home, token } = await rig();
    const agent = (await readFile(tokenPath(home, "agent"), "utf8")).trim();
    expect(agent).toMatch(/^[\w-]{43}$/);
    expect(agent).not.toBe(token);
  });

  it("of a host's own logins: `agent` may call and not decide", async () => {
    const api = createApi(fakeSupervisor(), { authorize: () => "agent", dashboard: false });
    onTestFinished(() => api.close());
    const status = async (method: string, path: string): Promise<number> =>
      (
        await api.fetch(
          new Request(`http://127.0.0.1${path}`, {
            method,
            headers: { "content-type": "application/json" },
            ...(method === "GET" ? {} : { body: '{"decision":"allow"}' }),
          }),
        )
      ).status;

    expect(await status("GET", "/api/mcp/tools")).toBe(200);
    expect(await status("POST", "/api/mcp/approvals/x")).toBe(403);
  });
});

describe("programs that show no token", () => {
  it("may send a kilobyte to log in, within two seconds", async () => {
    const { service, port } = await rig();
    const large = await fetch(`${service.url}/api/mcp/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: "x".repeat(1100) }),
    });
    expect(large.status).toBe(413);

    const begun = performance.now();
    const slow = openBody(port);
    let answer = "";
    slow.on("data", (chunk) => (answer += String(chunk)));
    await until(() => answer.includes("\r\n"));
    expect(answer).toContain("408");
    expect(performance.now() - begun).toBeGreaterThan(1500);
    slow.destroy();
  });

  it("three hundred of them, each with an open body, keep nobody out who has one", async () => {
    const { port, ask } = await rig({ listener: { connections: 64 } });
    const hostile: Socket[] = [];
    onTestFinished(() => {
      for (const socket of hostile) socket.destroy();
    });
    for (let at = 0; at < 300; at++) hostile.push(openBody(port));
    await until(() => hostile.filter((socket) => socket.destroyed).length >= 236);

    for (let at = 0; at < 8; at++) {
      for (let more = 0; more < 20; more++) hostile.push(openBody(port));
      expect((await ask("GET", "/api/mcp/servers")).status).toBe(200);
    }
  });

  it("do not end a call of somebody known that is under way", async () => {
    const { port, ask, fake } = await rig({ listener: { connections: 8 } });
    const gate = new EventEmitter();
    fake.onCall = (name) => once(gate, "open").then(() => resultOf(name, "late"));
    const call = ask("POST", "/api/mcp/tools/mcp_files_slow/call", { arguments: {} });
    await until(() => fake.calls.length === 1);
    const hostile = Array.from({ length: 40 }, () => openBody(port));
    onTestFinished(() => {
      for (const socket of hostile) socket.destroy();
    });
    await until(() => hostile.filter((socket) => socket.destroyed).length >= 33);

    gate.emit("open");
    expect((await call).status).toBe(200);
  });
});

/** A login whose body never ends. */
function openBody(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/mcp/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  );
  return socket;
}
