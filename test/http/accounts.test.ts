import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve, tokenPath } from "../../src/http/index.js";
import type { Fact } from "../../src/index.js";
import type { FakeAuthOptions } from "../../src/testing/auth/types.js";
import { fakeAuth } from "../auth/support.js";
import { nextFact, running, scripted, temporaryFolder } from "../support.js";
import { rig } from "./rig.js";

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A service around a real supervisor whose server wants a login; every answer is kept. */
async function remote(options: FakeAuthOptions = {}) {
  const fake = await fakeAuth(options);
  const home = temporaryFolder();
  const supervisor = await running([{ id: "remote", url: fake.url }, scripted("local", "scripted.mjs")], {
    home,
  });
  const service = await serve(supervisor, { home, dashboard: false });
  onTestFinished(() => service.close());
  const token = (await readFile(tokenPath(home), "utf8")).trim();
  const facts: Fact[] = [];
  supervisor.events$.subscribe((fact) => facts.push(fact));
  const said: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> => {
    const answer = await fetch(`${service.url}/api/mcp${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    // The one answer that holds an address to open is that of the beginning.
    if (answer.status !== 202) said.push(text);
    return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Answer["body"]) };
  };
  return { fake, home, supervisor, service, facts, said, ask };
}

describe("a login over the API", () => {
  it("says who asks for what, gives the address to open, and connects the server", async () => {
    const { fake, supervisor, ask } = await remote({ scopes: ["read"] });
    const connected = nextFact(supervisor, "mcp.connected");

    const begun = await ask("POST", "/servers/remote/login", {});

    expect(begun).toMatchObject({
      status: 202,
      body: {
        server: "remote",
        servers: ["remote"],
        account: "default",
        issuer: fake.issuer,
        scopes: ["read"],
        newScopes: ["read"],
        reason: "none",
        state: "waiting",
      },
    });
    expect(supervisor.server("remote")?.status().state).toBe("authorizing");
    const url = String(begun.body["url"]);
    expect(url.startsWith(`${fake.issuer}/authorize?`)).toBe(true);
    const path = `/logins/${String(begun.body["login"])}`;
    expect((await ask("GET", path)).body).toMatchObject({ state: "waiting" });

    expect(await fake.browse(url)).toBe(200);
    await connected;

    await expect.poll(async () => (await ask("GET", path)).body["state"]).toBe("done");
    const [account] = (await ask("GET", "/accounts")).body as unknown as object[];
    expect(account).toMatchObject({
      server: "remote",
      account: "default",
      state: "logged-in",
      issuer: fake.issuer,
      scopes: ["read"],
    });
    expect(await supervisor.callTool("mcp_remote_read")).toMatchObject({ ok: true });
  });

  it("takes the whole address of a browser elsewhere, and waits on after a wrong one", async () => {
    const { fake, supervisor, ask } = await remote();
    const connected = nextFact(supervisor, "mcp.connected");
    const { body } = await ask("POST", "/servers/remote/login", {});
    const path = `/logins/${String(body["login"])}/answer`;
    const callback = await fake.agree(String(body["url"]));
    const foreign = new URL(callback);
    foreign.searchParams.set("state", "another");

    for (const callbackUrl of ["", "what?", "https://evil.example/?code=1", foreign.href])
      expect((await ask("POST", path, { callbackUrl })).body).toMatchObject({ ok: false });
    expect((await ask("POST", path, { callbackUrl: ` ${callback}\n` })).body).toMatchObject({ ok: true });

    await connected;
    expect((await ask("POST", path, { callbackUrl: callback })).body).toMatchObject({ ok: false });
  });

  it("is one at a time; it can be given up, and begun anew", async () => {
    const { supervisor, ask, fake } = await remote();
    const { body } = await ask("POST", "/servers/remote/login", {});
    const path = `/logins/${String(body["login"])}`;

    expect(await ask("POST", "/servers/remote/login", {})).toMatchObject({
      status: 409,
      body: { code: "login-running", login: body["login"] },
    });
    expect((await ask("DELETE", path)).status).toBe(204);

    await expect.poll(async () => (await ask("GET", path)).body["state"]).toBe("failed");
    expect((await ask("GET", path)).body["failure"]).toContain("given up");
    expect(supervisor.server("remote")?.status().state).toBe("parked");
    expect((await ask("DELETE", path)).status).toBe(204);
    const callback = await fake.agree(String(body["url"]));
    expect((await ask("POST", `${path}/answer`, { callbackUrl: callback })).body).toMatchObject({
      ok: false,
      text: expect.stringContaining("given up"),
    });
    expect(fake.requests.filter((each) => each.path === "/token")).toEqual([]);
    expect((await ask("POST", "/servers/remote/login", {})).status).toBe(202);
  });

  it("begins by a code for another device", async () => {
    const { ask, fake } = await remote();

    const { status, body } = await ask("POST", "/servers/remote/login", { device: true });

    expect(status).toBe(202);
    expect(body).toMatchObject({ userCode: "WDJB-MJHT", verificationUri: `${fake.issuer}/activate` });
    expect(body["url"]).toBeUndefined();
    const { body: later } = await ask("GET", `/logins/${String(body["login"])}`);
    expect(later["userCode"]).toBeUndefined();
  });

  it("says why it came to nothing", async () => {
    const { ask } = await remote({ registration: false });

    expect(await ask("POST", "/servers/remote/login", {})).toMatchObject({
      status: 502,
      body: { code: "login-failed", failure: "no-client", detail: expect.stringContaining("clientId") },
    });
  });

  it("is given up when its caller goes away before there is anything to show", async () => {
    let silent: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => (silent = resolve));
    const { supervisor, ask, facts } = await remote({
      intercept: ({ path }) => {
        if (path !== "/register") return undefined;
        silent?.();
        return "silence";
      },
    });
    const gone = new AbortController();
    const begun = ask("POST", "/servers/remote/login", {}, gone.signal).catch(() => undefined);
    await asked;

    gone.abort();
    await begun;

    await expect.poll(() => supervisor.server("remote")?.status().state).toBe("parked");
    expect(facts.some((fact) => fact.type === "mcp.auth.settled" && !fact.ok)).toBe(true);
  });

  it("ends with the service", async () => {
    const { supervisor, service, ask } = await remote();
    await ask("POST", "/servers/remote/login", {});

    await service.close();

    await expect.poll(() => supervisor.server("remote")?.status().state).toBe("parked");
  });

  it("and a logout: the tokens are revoked and forgotten, the server parks", async () => {
    const { fake, supervisor, ask } = await remote();
    const connected = nextFact(supervisor, "mcp.connected");
    const { body } = await ask("POST", "/servers/remote/login", {});
    await fake.browse(String(body["url"]));
    await connected;

    expect(await ask("POST", "/servers/remote/logout", {})).toEqual({
      status: 200,
      body: { revoked: "yes" },
    });

    await expect.poll(() => supervisor.server("remote")?.status().state).toBe("parked");
    expect((await ask("GET", "/accounts")).body).toMatchObject([{ state: "logged-out" }]);
  });

  it("says no to servers that take no tokens and to ids that nobody knows", async () => {
    const { ask } = await remote();

    for (const action of ["login", "logout"]) {
      expect(await ask("POST", `/servers/local/${action}`, {})).toMatchObject({
        status: 409,
        body: { code: "no-account" },
      });
      expect(await ask("POST", `/servers/nobody/${action}`, {})).toMatchObject({ status: 404 });
    }
    expect(await ask("GET", "/logins/nobody")).toMatchObject({
      status: 404,
      body: { code: "login-not-found" },
    });
    expect((await ask("DELETE", "/logins/nobody")).status).toBe(404);
    expect((await ask("POST", "/logins/nobody/answer", { callbackUrl: "x" })).status).toBe(404);
  });

  it("lets no secret into any answer, fact or status", async () => {
    const { fake, home, supervisor, service, facts, said, ask } = await remote({ scopes: ["read"] });
    const connected = nextFact(supervisor, "mcp.connected");
    const { body } = await ask("POST", "/servers/remote/login", {});
    const address = new URL(String(body["url"]));
    const login = String(body["login"]);
    await ask("POST", "/servers/remote/login", {});
    const callback = await fake.agree(address.href);
    await ask("POST", `/logins/${login}/answer`, { callbackUrl: callback.replace(/state=./, "state=~") });
    await ask("POST", `/logins/${login}/answer`, { callbackUrl: callback });
    await connected;
    for (const path of [`/logins/${login}`, "/accounts", "/servers", "/servers/remote", "/attention"])
      await ask("GET", path);
    await ask("POST", "/servers/remote/logout", {});
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${(await readFile(join(home, "service.token"), "utf8")).trim()}` },
    });
    said.push(await metrics.text(), JSON.stringify(facts), JSON.stringify(supervisor.servers()));

    const verifiers = fake.requests
      .map(({ form }) => form["code_verifier"])
      .filter((each) => each !== undefined);
    const secrets = [...fake.memory.given, address.searchParams.get("state"), ...verifiers].map(String);
    expect(verifiers).toHaveLength(1);
    expect(secrets.length).toBeGreaterThan(4);
    for (const secret of secrets) expect(said.filter((text) => text.includes(secret))).toEqual([]);
    expect(said.filter((text) => text.includes("code_challenge"))).toEqual([]);
  });
});

const as = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe("every route of the document that changes something", () => {
  it("wants a token, a content type, its own origin, and a person unless it says otherwise", async () => {
    const { service, home, token } = await rig();
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    };
    const agent = (await readFile(join(home, "agent.token"), "utf8")).trim();
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security = [] }]) =>
        method === "get" || security.length === 0
          ? []
          : [
              {
                method: method.toUpperCase(),
                path,
                forAgents: security.some((each) => "agentToken" in each),
              },
            ],
      ),
    );
    const json = { "content-type": "application/json" };
    const statusOf = async (
      { method, path }: { method: string; path: string },
      headers: Record<string, string>,
    ): Promise<number> => {
      const address = service.url + path.replaceAll(/\{\w+\}/g, "x");
      return (await fetch(address, { method, headers, body: "{}" })).status;
    };

    expect(routes.map(({ path }) => path)).toContain("/api/mcp/servers/{id}/login");
    for (const route of routes) {
      expect([route, await statusOf(route, json)]).toEqual([route, 401]);
      expect([route, await statusOf(route, as(token))]).toEqual([route, 415]);
      const foreign = { ...json, ...as(token), origin: "https://evil.example" };
      expect([route, await statusOf(route, foreign)]).toEqual([route, 403]);
      const asAgent = await statusOf(route, { ...json, ...as(agent) });
      expect([route, asAgent === 403]).toEqual([route, !route.forAgents]);
    }
  });
});
