import { lstat, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "../../src/builtin/contract/clock.js";
import { createAccess } from "../../src/builtin/tokens/access.js";
import type { Account } from "../../src/builtin/contract/account.js";
import type { Keyring } from "../../src/keep/keyring.js";
import { createMask } from "../../src/builtin/tokens/mask.js";
import { openTokenStore, type StoreOptions, type TokenStore } from "../../src/builtin/tokens/store.js";
import { type Fake, type Seen, startFake } from "./support/fake.js";
import { makeHome, writeTokens } from "./support/fleet.js";
import { call, initialize, start } from "./support/stdio.js";

let home: string;
let fake: Fake;

beforeEach(async () => {
  home = await makeHome();
  fake = await startFake();
});

afterEach(async () => {
  await fake.close();
  await rm(home, { recursive: true, force: true });
});

const noKeyring = async () => undefined;
const account: Omit<Account, "keptIn"> = {
  label: "ann",
  kind: "token",
  connectedAt: 1_700_000_000_000,
  secrets: { accessToken: "canary-of-the-store-1" },
};

function open(options: Partial<StoreOptions> = {}): TokenStore {
  return openTokenStore({ home, loadKeyring: noKeyring, ...options });
}

describe("the token store", () => {
  it("keeps accounts in a file that only its owner can read, and leaves no temp file or lock", async () => {
    const store = open({ home: join(home, "deep/er") });

    await store.exclusively((held) => held.write("github", account));

    const about = await lstat(store.path);
    expect((about.mode & 0o777).toString(8)).toBe("600");
    expect(await readdir(join(home, "deep/er"))).toEqual(["tokens.json"]);
    expect(((await lstat(join(home, "deep/er"))).mode & 0o777).toString(8)).toBe("700");
    expect(await store.read("github")).toEqual({ ...account, keptIn: "file" });
    expect(await store.read("slack")).toBeUndefined();
  });

  it("lists accounts without their secrets", async () => {
    const store = open();
    await store.exclusively((held) => held.write("github", account));

    const list = await store.list();

    expect(list).toEqual({
      github: { label: "ann", kind: "token", connectedAt: 1_700_000_000_000, keptIn: "file" },
    });
  });

  it("keeps secrets in the OS keyring where it works, and only the rest in the file", async () => {
    const ring = fakeKeyring();
    const store = open({ loadKeyring: async () => ring });

    expect(await store.exclusively((held) => held.write("github", account))).toBe("keyring");

    expect(await readFile(store.path, "utf8")).not.toContain("canary-of-the-store-1");
    expect(await store.read("github")).toEqual({ ...account, keptIn: "keyring" });
    await store.exclusively((held) => held.remove("github"));
    expect(ring.entries.size).toBe(0);
    expect(await store.list()).toEqual({});
  });

  it.each([
    ["fails", { set: () => Promise.reject(new Error("no daemon")) }],
    ["forgets", { get: async () => undefined }],
  ])("falls back to the file when the keyring %s", async (_, broken) => {
    const store = open({ loadKeyring: async () => ({ ...fakeKeyring(), ...broken }) });

    expect(await store.exclusively((held) => held.write("github", account))).toBe("file");
    expect(await store.read("github")).toEqual({ ...account, keptIn: "file" });
  });

  it("says what to do when the keyring that holds a token cannot be read", async () => {
    const ring = fakeKeyring();
    await open({ loadKeyring: async () => ring }).exclusively((held) => held.write("github", account));

    await expect(open().read("github")).rejects.toThrow(
      "kept in the OS keyring, which cannot be read from here",
    );
  });

  it("refuses a file that others can read, a link, and a file that is none of its own", async () => {
    await writeFile(join(home, "tokens.json"), "{}", { mode: 0o644 });
    await expect(open().list()).rejects.toThrow("chmod 600");

    await rm(join(home, "tokens.json"));
    await symlink(join(home, "elsewhere"), join(home, "tokens.json"));
    await expect(open().list()).rejects.toThrow("is not a plain file");

    await rm(join(home, "tokens.json"));
    await writeFile(join(home, "tokens.json"), '{"accessToken": "canary-of-the-store-1"', { mode: 0o600 });
    await expect(open().list()).rejects.toThrow(/^((?!canary).)*is not a token file((?!canary).)*$/);
  });
});

function expired(expiresAt: number) {
  return {
    gmail: {
      label: "ann@example.com",
      kind: "oauth",
      keptIn: "file",
      connectedAt: 1,
      expiresAt,
      clientId: "client-1",
      tokenUrl: `${fake.url}/token`,
      secrets: {
        accessToken: "canary-access-old",
        refreshToken: "canary-refresh-old",
        clientSecret: "canary-client-secret",
      },
    },
  };
}

function refreshes(): Seen[] {
  return fake.seen.filter((each) => each.path === "/token");
}

describe("a token that has run out", () => {
  const grant = {
    access_token: "canary-access-new",
    refresh_token: "canary-refresh-new",
    expires_in: 3600,
    token_type: "Bearer",
  };
  const labels = {
    "GET /gmail/v1/users/me/labels": (seen: { headers: Record<string, unknown> }) =>
      seen.headers["authorization"] === "Bearer canary-access-new"
        ? { body: { labels: [] } }
        : { status: 401, body: { error: { message: "Invalid Credentials canary-access-old" } } },
  };

  it("is renewed once, however many calls and processes want it", async () => {
    await writeTokens(home, expired(Date.now() - 1));
    fake.mood({ kind: "routes", routes: { ...labels, "POST /token": { body: grant } } });
    const servers = [1, 2, 3].map(() => start("gmail", ["--home", home, "--gmail-url", fake.url]));
    await Promise.all(servers.map(initialize));

    const answers = await Promise.all(
      [...servers, ...servers, ...servers].map((server) => call(server, "gmail_list_labels", {})),
    );

    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 9 }, () => '{"labels":[]}'));
    expect(refreshes()).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(refreshes()[0]?.text))).toEqual({
      grant_type: "refresh_token",
      refresh_token: "canary-refresh-old",
      client_id: "client-1",
      client_secret: "canary-client-secret",
    });
    const kept = await open().read("gmail");
    expect(kept?.secrets).toEqual({
      accessToken: "canary-access-new",
      refreshToken: "canary-refresh-new",
      clientSecret: "canary-client-secret",
    });
    await Promise.all(servers.map((server) => server.close()));
  });

  it("is renewed when the service refuses it although it should still be good", async () => {
    await writeTokens(home, expired(Date.now() + 3_600_000));
    fake.mood({ kind: "routes", routes: { ...labels, "POST /token": { body: grant } } });
    const server = start("gmail", ["--home", home, "--gmail-url", fake.url]);
    await initialize(server);

    const answer = await call(server, "gmail_list_labels", {});

    expect(answer.text).toBe('{"labels":[]}');
    expect(fake.seen.map((each) => each.path)).toEqual([
      "/gmail/v1/users/me/labels",
      "/token",
      "/gmail/v1/users/me/labels",
    ]);
    await server.close();
  });

  it("asks the user to connect again when the grant is gone, and shows no secret", async () => {
    await writeTokens(home, expired(1));
    const body = { error: "invalid_grant", error_description: "canary-refresh-old was revoked" };
    fake.mood({ kind: "routes", routes: { "POST /token": { status: 400, body } } });
    const server = start("gmail", ["--home", home, "--gmail-url", fake.url]);
    await initialize(server);

    const answer = await call(server, "gmail_list_labels", {});

    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("the gmail token has run out");
    expect(answer.text).toContain("mcpvisor connect gmail");
    expect(answer.text).toContain("[secret] was revoked");
    await server.close();
    expect(server.stdout() + server.stderr()).not.toContain("canary");
  });

  it("shares one refresh among the callers of a process", async () => {
    await writeTokens(home, expired(1));
    fake.mood({ kind: "routes", routes: { "POST /token": { body: grant } } });
    const access = createAccess({
      store: open(),
      service: "gmail",
      env: {},
      clock: realClock,
      mask: createMask(),
    });

    const accounts = await Promise.all([1, 2, 3, 4].map(() => access.current()));

    expect(new Set(accounts.map(({ secrets }) => secrets.accessToken))).toEqual(
      new Set(["canary-access-new"]),
    );
    expect(refreshes()).toHaveLength(1);
  });
});

function fakeKeyring(): Keyring & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (key) => entries.get(key),
    set: async (key, secret) => void entries.set(key, secret),
    delete: async (key) => void entries.delete(key),
  };
}
