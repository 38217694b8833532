import { readdir, readFile, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { AuthError } from "../../src/auth/door/problem.js";
import { accountOf, fakeAuth, login, tempHome } from "./support.js";

async function failure(promise: Promise<unknown>): Promise<AuthError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AuthError);
  return error as AuthError;
}

describe("a login with a browser", () => {
  it("registers, asks, and has the grant on disk, readable by its owner only", async () => {
    const home = await tempHome();
    const fake = await fakeAuth({ scopes: ["read"] });
    const { account } = accountOf(home, fake.url);

    const shown = await login(account, ({ url }) => fake.browse(url!));

    expect(shown.issuer).toBe(fake.issuer);
    expect(shown.scopes).toEqual(["read"]);
    expect(account.bearer.header()).toMatch(/^Bearer at-/);
    const record = JSON.parse(await readFile(account.file.path, "utf8"));
    expect(record).toMatchObject({
      version: 1,
      url: fake.url,
      resource: fake.url,
      grant: { scopes: ["read"] },
    });
    expect((await stat(account.file.path)).mode & 0o777).toBe(0o600);
    expect((await readdir(`${home}/auth`)).length).toBe(1);
  });

  it("sends PKCE, state, resource and a loopback address, and asks for the token with the same", async () => {
    const fake = await fakeAuth();
    const { account } = accountOf(await tempHome(), fake.url);

    const { url } = await login(account, (shown) => fake.browse(shown.url!));

    const query = new URL(url!).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    expect(query.get("resource")).toBe(fake.url);
    expect(new URL(query.get("redirect_uri")!).hostname).toBe("127.0.0.1");
    const token = fake.requests.find(({ path }) => path === "/token");
    expect(token?.form).toMatchObject({ resource: fake.url, redirect_uri: query.get("redirect_uri") });
    const registration = fake.requests.find(({ path }) => path === "/register");
    expect(registration?.form).toMatchObject({
      application_type: "native",
      token_endpoint_auth_method: "none",
    });
  });

  it("takes the whole address when somebody pastes it", async () => {
    const fake = await fakeAuth();
    const { account } = accountOf(await tempHome(), fake.url);

    await login(account, async ({ url, answer }) => answer(await fake.agree(url!)));

    expect(account.bearer.header()).toMatch(/^Bearer at-/);
  });

  it("registers once: the next login has the same client and port", async () => {
    const fake = await fakeAuth();
    const home = await tempHome();
    const first = await login(accountOf(home, fake.url).account, ({ url }) => fake.browse(url!));
    const second = await login(accountOf(home, fake.url).account, ({ url }) => fake.browse(url!));

    expect(fake.requests.filter(({ path }) => path === "/register")).toHaveLength(1);
    expect(second.redirectUri).toBe(first.redirectUri);
  });

  it("goes on over an old tab's state, a wrong path and a forged answer", async () => {
    const fake = await fakeAuth();
    const { account } = accountOf(await tempHome(), fake.url);
    const pages: { ok: boolean; text: string }[] = [];

    await login(account, async ({ url, answer }) => {
      const right = await fake.agree(url!);
      const forged = new URL(right);
      forged.searchParams.set("state", "another");
      pages.push(
        await answer(forged.href),
        await answer("https://elsewhere.example/?code=x"),
        await answer("no address"),
      );
      const without = new URL(right);
      without.searchParams.delete("state");
      pages.push(await answer(without.href), await answer(right), await answer(right));
    });
    // The one-shot answer has settled the login; what came later was told so.
    expect(pages.slice(0, 4).map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(account.bearer.header()).toMatch(/^Bearer at-/);
  });

  it.each([
    ["missing", (answer: URL) => answer.searchParams.delete("iss")],
    ["of another issuer", (answer: URL) => answer.searchParams.set("iss", "https://evil.example")],
    [
      "different by a slash",
      (answer: URL) => answer.searchParams.set("iss", `${answer.searchParams.get("iss")}/`),
    ],
  ])("sends no code anywhere when iss is %s", async (_what, change) => {
    const fake = await fakeAuth({ callback: (answer) => (change(answer), answer) });
    const { account } = accountOf(await tempHome(), fake.url);

    const error = await failure(login(account, ({ url }) => fake.browse(url!)));

    expect(error.failure).toBe("iss-mismatch");
    expect(fake.requests.filter(({ path }) => path === "/token")).toEqual([]);
  });

  it("does not show the error of an answer whose iss is wrong", async () => {
    const fake = await fakeAuth({
      callback: (answer) => {
        answer.searchParams.set("iss", "https://evil.example");
        answer.searchParams.delete("code");
        answer.searchParams.set("error", "access_denied");
        answer.searchParams.set("error_description", "please mail your password");
        return answer;
      },
    });
    const { account } = accountOf(await tempHome(), fake.url);

    const error = await failure(login(account, ({ url }) => fake.browse(url!)));

    expect(error.failure).toBe("iss-mismatch");
    expect(error.message).not.toContain("password");
  });

  it("ends when the person says no", async () => {
    const fake = await fakeAuth({
      callback: (answer) => {
        answer.searchParams.delete("code");
        answer.searchParams.set("error", "access_denied");
        return answer;
      },
    });
    const { account } = accountOf(await tempHome(), fake.url);

    const error = await failure(login(account, ({ url }) => fake.browse(url!)));

    expect(error).toMatchObject({ failure: "refused", oauthError: "access_denied" });
  });

  it("frees its port and its lock when it is given up", async () => {
    const fake = await fakeAuth();
    const home = await tempHome();
    const { account } = accountOf(home, fake.url);
    const stop = new AbortController();

    const error = await failure(
      login(account, () => stop.abort(new AuthError("cancelled", "given up")), { signal: stop.signal }),
    );

    expect(error.failure).toBe("cancelled");
    await login(account, ({ url }) => fake.browse(url!));
    expect(account.bearer.header()).toMatch(/^Bearer at-/);
  });

  it("is one at a time for an account", async () => {
    const fake = await fakeAuth();
    const home = await tempHome();
    const stop = new AbortController();
    const first = accountOf(home, fake.url).account;
    const second = accountOf(home, fake.url).account;
    let busy: AuthError | undefined;

    await failure(
      login(
        first,
        async () => {
          busy = await failure(login(second, () => undefined));
          stop.abort(new AuthError("cancelled", "given up"));
        },
        { signal: stop.signal },
      ),
    );

    expect(busy?.failure).toBe("busy");
  });

  it("refuses a server that does not say S256, and takes it on the person's own word", async () => {
    const fake = await fakeAuth({ metadata: { code_challenge_methods_supported: undefined } });
    const home = await tempHome();

    const error = await failure(login(accountOf(home, fake.url).account, () => undefined));
    expect(error.failure).toBe("no-pkce");
    expect(error.message).toContain('"pkce": "assume"');

    const assuming = accountOf(home, fake.url, { pkce: "assume" }).account;
    await login(assuming, ({ url }) => fake.browse(url!));
    expect(assuming.bearer.header()).toBeDefined();
  });

  it("uses a registered client as it is, with Basic for its secret", async () => {
    const fake = await fakeAuth({ registration: false, clients: { "pre-registered": "a secret+/=" } });
    const { account } = accountOf(await tempHome(), fake.url, {
      clientId: "pre-registered",
      clientSecret: "a secret+/=",
    });

    await login(account, ({ url }) => fake.browse(url!));

    expect(fake.requests.some(({ path }) => path === "/register")).toBe(false);
    const token = fake.requests.find(({ path }) => path === "/token");
    expect(atob(token!.headers["authorization"]!.slice(6))).toBe("pre-registered:a+secret%2B%2F%3D");
  });

  it("says what to do where nobody is registered", async () => {
    const fake = await fakeAuth({ registration: false });
    const { account } = accountOf(await tempHome(), fake.url);

    const error = await failure(login(account, () => undefined));

    expect(error.failure).toBe("no-client");
    expect(error.message).toContain('"clientId"');
  });

  it("logs in by a code that is entered elsewhere", async () => {
    const fake = await fakeAuth({ scopes: ["read"] });
    const { account } = accountOf(await tempHome(), fake.url);

    const shown = await login(
      account,
      () => [...fake.memory.devices.values()].forEach((each) => (each.decision = "approved")),
      { device: true },
    );

    expect(shown.device).toMatchObject({ userCode: "WDJB-MJHT" });
    expect(account.bearer.header()).toMatch(/^Bearer at-/);
  });
});

describe("a logout", () => {
  it("gives the grant back, forgets it, and asks for consent the next time", async () => {
    const fake = await fakeAuth();
    const { account } = accountOf(await tempHome(), fake.url);
    await login(account, ({ url }) => fake.browse(url!));

    expect(await account.logout(false)).toBe("yes");

    expect(
      fake.requests.filter(({ path }) => path === "/revoke").map(({ form }) => form["token_type_hint"]),
    ).toEqual(["refresh_token", "access_token"]);
    expect(account.bearer.header()).toBeUndefined();
    expect(await readFile(account.file.path, "utf8")).not.toContain("at-");
    const { url } = await login(account, (shown) => fake.browse(shown.url!));
    expect(new URL(url!).searchParams.get("prompt")).toBe("consent");
  });

  it("forgets the grant although the server does not answer, and says so", async () => {
    const fake = await fakeAuth({
      intercept: ({ path }) => (path === "/revoke" ? { status: 503 } : undefined),
    });
    const { account } = accountOf(await tempHome(), fake.url);
    await login(account, ({ url }) => fake.browse(url!));

    expect(await account.logout(false)).toBe("no");
    expect(account.bearer.header()).toBeUndefined();
  });
});
