import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AuthorizeRequest, Fact } from "../../src/index.js";
import { nextFact, running, supervise, temporaryFolder } from "../support.js";
import { accountOf, fakeAuth, login } from "./support.js";

describe("a server that wants authorization", () => {
  it("parks at once as needs-authorization, keeps others out of it, and asks nobody", async () => {
    const fake = await fakeAuth();
    const asked: AuthorizeRequest[] = [];
    const supervisor = await running([{ id: "remote", url: fake.url, lazy: false }], {
      authorize: (request) => void asked.push(request),
    });

    const { state, cause } = supervisor.server("remote")!.status();
    expect([state, cause.kind]).toEqual(["parked", "needs-authorization"]);
    expect(cause.message).toContain('server("remote").login()');
    expect(asked).toEqual([]);
    expect(fake.requests.some(({ path }) => path === "/authorize" || path === "/register")).toBe(false);
  });

  it("connects when somebody has logged in, and its tools can be called", async () => {
    const fake = await fakeAuth({ scopes: ["read"] });
    const facts: Fact[] = [];
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    supervisor.events$.subscribe((fact) => facts.push(fact));

    const status = await supervisor.server("remote")!.login({ show: ({ url }) => fake.agree(url!) });

    expect(status).toMatchObject({ state: "ready", toolCount: 2 });
    const states = facts.flatMap((fact) => (fact.type === "mcp.state" ? [fact.to] : []));
    expect(states.slice(0, 2)).toEqual(["authorizing", "connecting"]);
    expect(facts.filter(({ type }) => type.startsWith("mcp.auth.")).map(({ type }) => type)).toEqual([
      "mcp.auth.started",
      "mcp.auth.settled",
    ]);
    expect(await supervisor.callTool("mcp_remote_read")).toMatchObject({ ok: true });
    expect(JSON.stringify(facts)).not.toMatch(/at-|rt-|code-/);
  });

  it("has calls wait for the end of a login", async () => {
    const fake = await fakeAuth();
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    const handle = supervisor.server("remote")!;
    await handle.login({ show: ({ url }) => fake.agree(url!) });
    fake.revokeAll();
    expect(await supervisor.callTool("mcp_remote_read")).toMatchObject({ ok: false });
    await expect.poll(() => handle.status().state).toBe("parked");
    expect(await supervisor.callTool("mcp_remote_read")).toMatchObject({
      ok: false,
      failure: { kind: "unavailable" },
    });
    let call: Promise<unknown> | undefined;

    await handle.login({
      show: ({ url }) => {
        call = supervisor.callTool("mcp_remote_read");
        return fake.agree(url!);
      },
    });

    expect(await call).toMatchObject({ ok: true });
  });

  it("goes back to parked with the reason when the login comes to nothing", async () => {
    const fake = await fakeAuth({ registration: false });
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    const handle = supervisor.server("remote")!;

    await expect(handle.login({ show: () => undefined })).rejects.toMatchObject({ failure: "no-client" });

    expect(handle.status()).toMatchObject({ state: "parked", cause: { kind: "needs-authorization" } });
  });

  it("logs in by itself when the host said so, once", async () => {
    const fake = await fakeAuth();
    const asked: AuthorizeRequest[] = [];
    const supervisor = supervise([{ id: "remote", url: fake.url }], {
      authorizeWhen: "needed",
      authorize: (request) => {
        asked.push(request);
        return fake.agree(request.url!);
      },
    });
    const connected = nextFact(supervisor, "mcp.connected");
    void supervisor.start();
    await connected;

    expect(asked).toMatchObject([{ servers: ["remote"], reason: "none" }]);
  });

  it("takes a login of another process without a restart", async () => {
    const fake = await fakeAuth();
    const home = temporaryFolder();
    const supervisor = await running([{ id: "remote", url: fake.url }], { home });
    const connected = nextFact(supervisor, "mcp.connected");

    await login(accountOf(home, fake.url).account, ({ url }) => fake.browse(url!));

    await connected;
    expect(supervisor.server("remote")!.status().state).toBe("ready");
  });

  it("renews during service, without a fact of error and with no call lost", async () => {
    const fake = await fakeAuth();
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    const handle = supervisor.server("remote")!;
    await handle.login({ show: ({ url }) => fake.agree(url!) });
    const errors: Fact[] = [];
    supervisor.events$.subscribe((fact) => fact.type === "mcp.error" && errors.push(fact));
    // Older than the calm time after an issue, as far as the account's file says.
    await new Promise((resolve) => setTimeout(resolve, 10_100));
    fake.expire();

    const results = await Promise.all(
      Array.from({ length: 50 }, () => supervisor.callTool("mcp_remote_read")),
    );

    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(errors).toEqual([]);
    expect(fake.memory.renewals).toBe(1);
    expect(fake.memory.reuses).toBe(0);
  });

  it("asks for more scopes once, for all that were asked before and the new ones", async () => {
    const fake = await fakeAuth({ scopes: ["read"], writeScopes: ["write"] });
    const asked: AuthorizeRequest[] = [];
    const supervisor = supervise([{ id: "remote", url: fake.url }], {
      authorizeWhen: "needed",
      authorize: (request) => {
        asked.push(request);
        return fake.agree(request.url!);
      },
    });
    const connected = nextFact(supervisor, "mcp.connected");
    void supervisor.start();
    await connected;

    expect(await supervisor.callTool("mcp_remote_write")).toMatchObject({ ok: true });

    expect(asked.map(({ scopes, newScopes }) => [scopes, newScopes])).toEqual([
      [["read"], ["read"]],
      [["read", "write"], ["write"]],
    ]);
    expect(supervisor.server("remote")!.status().generation).toBe(2);
  });

  it("names scopes and command when nobody is asked for more", async () => {
    const fake = await fakeAuth({ scopes: ["read"], writeScopes: ["write"] });
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    await supervisor.server("remote")!.login({ show: ({ url }) => fake.agree(url!) });

    const result = await supervisor.callTool("mcp_remote_write");

    expect(result).toMatchObject({ ok: false, failure: { kind: "denied" } });
    expect(result.ok ? "" : result.failure.message).toMatch(
      /server\("remote"\)\.login\(\{ scopes: \["read","write"\] \}\)/,
    );
    expect(supervisor.server("remote")!.status().state).toBe("ready");
  });

  it("gives tokens back at logout and parks", async () => {
    const fake = await fakeAuth();
    const supervisor = await running([{ id: "remote", url: fake.url }]);
    const handle = supervisor.server("remote")!;
    await handle.login({ show: ({ url }) => fake.agree(url!) });

    expect(await handle.logout()).toEqual({ revoked: "yes" });

    await expect.poll(() => handle.status().cause.kind).toBe("needs-authorization");
    expect(handle.status().state).toBe("parked");
  });

  it("ends the start of twenty unauthorized servers in under two seconds", async () => {
    const fake = await fakeAuth();
    const servers = Array.from({ length: 20 }, (_, at) => ({ id: `s${at}`, url: `${fake.url}?${at}` }));
    const supervisor = supervise(servers);
    await supervisor.start();
    const { ms } = await supervisor.ready({ timeout: "20s" });
    expect(ms).toBeLessThan(2000);
    expect(new Set(supervisor.servers().map(({ cause }) => cause.kind))).toEqual(
      new Set(["needs-authorization"]),
    );
  });

  it.each<[string, object]>([
    ["has an Authorization header of its own", { headers: { Authorization: "Bearer mine-own" } }],
    ["says oauth: false", { oauth: false }],
  ])("is left alone when its entry %s", async (_what, extra) => {
    const fake = await fakeAuth();
    const home = temporaryFolder();
    const supervisor = await running([{ id: "remote", url: fake.url, ...extra }], { home });

    expect(supervisor.server("remote")!.status().cause.kind).toBe("auth-required");
    await expect(supervisor.server("remote")!.login({ show: () => undefined })).rejects.toThrow(
      /takes no tokens/,
    );
  });
});

it("a fleet without OAuth loads neither the room nor the library, but for the question which servers take tokens", () => {
  expect(loadedBy("src/supervisor/lives/authorizations.ts").filter((from) => from.includes("auth/"))).toEqual(
    ["../../auth/servers.js"],
  );
  expect(loadedBy("src/auth/servers.ts")).toEqual(["node:crypto"]);
});

/** What a module loads when it is loaded. */
function loadedBy(file: string): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(/^import (?!type).*from "(.*)";/gm)].map(
    ([, from]) => from!,
  );
}
