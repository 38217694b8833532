import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../src/auth/grants/verdict.js";
import type { FakeAuthReply } from "../../src/testing/auth/types.js";
import { accountOf, fakeAuth, login, shiftedClock, tempHome } from "./support.js";

const minute = 60_000;

async function loggedIn(options: Parameters<typeof fakeAuth>[0] = {}, words = {}) {
  const clock = shiftedClock();
  const fake = await fakeAuth({ now: () => clock.now(), ...options });
  const home = await tempHome();
  const { account, told } = accountOf(home, fake.url, words, clock);
  await login(account, ({ url }) => fake.browse(url!));
  const refuse = (): Promise<Verdict> => account.bearer.refused(account.bearer.header(), { status: 401 });
  const onToken = (...replies: (FakeAuthReply | undefined)[]) => {
    fake.intercept(({ path, form }) =>
      path === "/token" && form["grant_type"] === "refresh_token" ? replies.shift() : undefined,
    );
  };
  const renewals = () => fake.requests.filter(({ form }) => form["grant_type"] === "refresh_token").length;
  return { clock, fake, home, account, told, refuse, onToken, renewals };
}

describe("a renewal", () => {
  it("follows a refusal, is on disk before it is used, and tells nothing secret", async () => {
    const { account, clock, refuse, told, fake } = await loggedIn();
    clock.shift(30 * minute);
    const before = account.bearer.header();

    expect(await refuse()).toEqual({ kind: "again" });

    expect(account.bearer.header()).not.toBe(before);
    const stored = JSON.parse(await readFile(account.file.path, "utf8"));
    expect(`Bearer ${stored.secrets.accessToken}`).toBe(account.bearer.header());
    expect(stored.spending).toBeUndefined();
    expect(told.renewed).toMatchObject([{ adopted: false, rotated: true }]);
    expect(fake.requests.at(-1)?.form).toMatchObject({ resource: fake.url });
    expect([...fake.memory.given].every((secret) => told.secrets.has(secret))).toBe(true);
  });

  it("is one for all callers of a process", async () => {
    const { clock, renewals, refuse } = await loggedIn();
    clock.shift(30 * minute);

    const verdicts = await Promise.all(Array.from({ length: 500 }, refuse));

    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(["again"]));
    expect(renewals()).toBe(1);
  });

  it("is one for two processes' worth of accounts: the late one adopts", async () => {
    const { clock, fake, home, refuse, renewals, account } = await loggedIn();
    const other = accountOf(home, fake.url, {}, clock);
    await other.account.bearer.reload();
    clock.shift(30 * minute);
    const old = account.bearer.header();
    await refuse();

    expect(await other.account.bearer.refused(old, { status: 401 })).toEqual({ kind: "again" });

    expect(renewals()).toBe(1);
    expect(other.told.renewed).toMatchObject([{ adopted: true }]);
    expect(other.account.bearer.header()).toBe(account.bearer.header());
  });

  it("comes ahead of the end, and only when a request needs it", async () => {
    const { account, clock, renewals } = await loggedIn();
    expect(account.bearer.fresh()).toBeUndefined();
    clock.shift(59.5 * minute);

    await account.bearer.fresh();

    expect(renewals()).toBe(1);
  });

  it("keeps the old token as long as it lasts when the server is down", async () => {
    const { account, clock, onToken } = await loggedIn();
    const before = account.bearer.header();
    clock.shift(59.5 * minute);
    onToken({ status: 500 });

    await account.bearer.fresh();

    expect(account.bearer.header()).toBe(before);
    expect(account.bearer.fresh()).toBeUndefined();
  });

  it.each<[string, FakeAuthReply[], number]>([
    ["500", [{ status: 500, body: "oops" }], 500],
    ["429 with Retry-After", [{ status: 429, headers: { "retry-after": "120" } }], 120_000],
    ["temporarily_unavailable", [{ status: 400, body: { error: "temporarily_unavailable" } }], 500],
    ["an unknown error", [{ status: 400, body: { error: "mercury_retrograde" } }], 500],
    ["HTML", [{ status: 200, headers: { "content-type": "text/html" }, body: "<html>" }], 500],
    ["a body without end", ["endless"], 500],
    ["no answer, twice", ["reset-before", "reset-before"], 500],
    ["a redirect", [{ status: 307, headers: { location: "https://evil.example/token" } }], 500],
  ])("passes over %s and keeps everything", async (_what, replies, atLeast) => {
    const { account, clock, onToken, refuse } = await loggedIn();
    clock.shift(30 * minute);
    onToken(...replies);

    const verdict = await refuse();

    expect(verdict.kind).toBe("later");
    expect((verdict as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(atLeast);
    const stored = JSON.parse(await readFile(account.file.path, "utf8"));
    expect(stored.secrets.refreshToken).toMatch(/^rt-/);
    clock.shift(10 * minute);
    expect((await refuse()).kind).toBe("again");
  });

  it("asks once more with the same token when no answer came, which a grace time forgives", async () => {
    const { clock, onToken, refuse, fake } = await loggedIn({ rotation: "grace" });
    clock.shift(30 * minute);
    onToken("reset-after");

    expect((await refuse()).kind).toBe("again");
    expect(fake.memory.reuses).toBe(0);
  });

  it("ends the grant on invalid_grant only, keeps the client, and parks without a loop", async () => {
    const { account, clock, fake, refuse, renewals } = await loggedIn();
    clock.shift(30 * minute);
    fake.revokeAll();

    expect(await refuse()).toMatchObject({ kind: "needed", reason: "revoked" });
    expect(await refuse()).toMatchObject({ kind: "needed", reason: "revoked" });

    expect(renewals()).toBe(1);
    const stored = JSON.parse(await readFile(account.file.path, "utf8"));
    expect(stored.grant).toBeUndefined();
    expect(stored.secrets.refreshToken).toBeUndefined();
    expect(Object.values(stored.clients)).toHaveLength(1);
    expect(stored.lost).toMatchObject({ reason: "revoked" });
  });

  it("takes invalid_request for a lost grant after three times over ten minutes", async () => {
    const { clock, onToken, refuse } = await loggedIn();
    const dead = { status: 400, body: { error: "invalid_request" } };
    onToken(dead, dead, dead);
    clock.shift(30 * minute);

    expect((await refuse()).kind).toBe("later");
    clock.shift(6 * minute);
    expect((await refuse()).kind).toBe("later");
    clock.shift(6 * minute);
    expect(await refuse()).toMatchObject({ kind: "needed", reason: "revoked" });
  });

  it("drops a registration that the server has forgotten", async () => {
    const { account, clock, fake, refuse } = await loggedIn();
    clock.shift(30 * minute);
    fake.memory.clients.clear();

    expect(await refuse()).toMatchObject({ kind: "needed", reason: "client" });
    expect(JSON.parse(await readFile(account.file.path, "utf8")).clients).toEqual({});
    await login(account, ({ url }) => fake.browse(url!));
    expect(account.bearer.header()).toBeDefined();
  });

  it("keeps the old refresh token when the answer has none", async () => {
    const { account, clock, onToken, refuse } = await loggedIn();
    clock.shift(30 * minute);
    onToken({ body: { access_token: "at-second", token_type: "bearer" } });

    expect((await refuse()).kind).toBe("again");
    const stored = JSON.parse(await readFile(account.file.path, "utf8"));
    expect(stored.secrets).toMatchObject({ accessToken: "at-second" });
    expect(stored.secrets.refreshToken).toMatch(/^rt-/);
  });

  it("does not renew for a token that is seconds old", async () => {
    const { refuse, renewals } = await loggedIn();

    expect(await refuse()).toMatchObject({ kind: "refused" });
    expect(renewals()).toBe(0);
  });

  it("finds out that the server has moved to another issuer", async () => {
    const { refuse, fake } = await loggedIn();
    const other = await fakeAuth();
    fake.intercept(({ path }) =>
      path.startsWith("/.well-known/oauth-protected-resource")
        ? { body: { resource: fake.url, authorization_servers: [other.issuer] } }
        : undefined,
    );

    expect(await refuse()).toMatchObject({ kind: "needed", reason: "issuer-changed" });
  });

  it("names all scopes to ask for when more are wanted", async () => {
    const { account } = await loggedIn({ scopes: ["read"] });

    const verdict = await account.bearer.refused(account.bearer.header(), {
      status: 403,
      challenge: { scheme: "bearer", error: "insufficient_scope", scopes: ["write"] },
    });

    expect(verdict).toMatchObject({ kind: "needed", reason: "scope", scopes: ["read", "write"] });
  });

  it.each([
    [undefined, undefined],
    [0, 0],
    ["3600", 3600],
    [-1, undefined],
    [1e99, undefined],
    ["3600abc", undefined],
  ])("takes expires_in %s for %s", async (sent, expected) => {
    const { account } = await loggedIn({ expiresIn: sent === undefined ? null : sent });
    expect(account.bearer.record?.grant?.expiresIn).toBe(expected);
  });

  it("goes on over clocks that are a day ahead, behind, or step back", async () => {
    const { account, clock, renewals } = await loggedIn();
    clock.shift(-24 * 60 * minute);
    expect(account.bearer.fresh()).toBeUndefined();
    clock.shift(48 * 60 * minute);
    await account.bearer.fresh();
    expect(renewals()).toBe(1);
    expect(account.bearer.fresh()).toBeUndefined();
  });

  it("serves from memory when the disk refuses, tells it, and tries again", async () => {
    const { account, clock, home, refuse, told } = await loggedIn();
    clock.shift(30 * minute);
    const path = account.file.path;
    const text = await readFile(path, "utf8");
    // The mark can be written, the answer cannot: the folder is shut in between.
    let isShut = false;
    const exclusively = account.file.exclusively.bind(account.file);
    (account.file as { exclusively: unknown }).exclusively = (work: (held: never) => Promise<unknown>) =>
      exclusively((held) => {
        const inner = Object.create(held) as typeof held;
        let writes = 0;
        inner.write = async (record) => {
          writes += 1;
          if (writes > 1 && !isShut) {
            isShut = true;
            throw new Error("ENOSPC");
          }
          return held.write(record);
        };
        return work(inner as never);
      });

    expect((await refuse()).kind).toBe("again");

    expect(told.unsaved).toBe(1);
    expect(account.bearer.header()).toMatch(/^Bearer at-/);
    expect(JSON.parse(text).secrets.accessToken).not.toBe(account.bearer.record?.grant?.accessToken);
    await expect
      .poll(async () => JSON.parse(await readFile(path, "utf8")).secrets.accessToken, { timeout: 15_000 })
      .toBe(account.bearer.record?.grant?.accessToken);
    expect(dirname(path)).toContain(home);
  });
});

describe("an account's file", () => {
  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ["torn", (path) => writeFile(path, '{"version":1,'), /torn/],
    [
      "foreign",
      (path) =>
        writeFile(
          path,
          JSON.stringify({ version: 1, url: "https://x/", account: "a", clients: {}, secrets: {} }),
        ),
      /another server/,
    ],
    ["world-readable", (path) => chmod(path, 0o644), /chmod 600/],
    ["of a newer version", (path) => writeFile(path, JSON.stringify({ version: 9 })), /newer/],
    ["without a field", (path) => writeFile(path, "{}"), /version/],
  ])("that is %s is one clear error, and stays as it is", async (_what, spoil, why) => {
    const { account, fake, home } = await loggedIn();
    await spoil(account.file.path);
    const before = await readFile(account.file.path, "utf8");
    const other = accountOf(home, fake.url).account;

    const verdict = await other.bearer.refused(undefined, { status: 401 });

    expect(verdict).toMatchObject({ kind: "needed" });
    expect((verdict as { message: string }).message).toMatch(why);
    await expect(login(other, () => undefined)).rejects.toThrow(why);
    expect(await readFile(account.file.path, "utf8")).toBe(before);
    for (const secret of fake.memory.given)
      expect((verdict as { message: string }).message).not.toContain(secret);
  });

  it("that somebody removed means: log in", async () => {
    const { account, home, fake } = await loggedIn();
    await rm(account.file.path);
    expect(await accountOf(home, fake.url).account.bearer.refused(undefined, { status: 401 })).toMatchObject({
      kind: "needed",
      reason: "none",
    });
  });
});
