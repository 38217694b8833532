import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { mayOpen, openBrowser } from "../../src/builtin/accounts/browser.js";
import {
  AccountError,
  type ConnectOptions,
  connectAccount,
  disconnectAccount,
  listAccounts,
} from "../../src/builtin/accounts/main.js";
import { type Canned, type Fake, type Seen, startFake } from "./support/fake.js";
import { makeHome } from "./support/fleet.js";
import { compileRooms } from "../process/hostPrograms.js";

let home: string;
let fake: Fake;
let said: string[];

beforeEach(async () => {
  home = await makeHome();
  fake = await startFake();
  said = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await fake.close();
  await rm(home, { recursive: true, force: true });
});

const secrets = [
  "canary-client-secret",
  "canary-access-token",
  "canary-refresh-token",
  "canary-pasted-token",
];

function options(service: string, more: Partial<ConnectOptions> = {}): ConnectOptions {
  return {
    service,
    home,
    keep: "file",
    say: (line) => void said.push(line),
    askHidden: () => Promise.reject(new Error("nothing should be asked")),
    urls: {
      api: fake.url,
      authorize: `${fake.url}/authorize`,
      token: `${fake.url}/token`,
      revoke: `${fake.url}/revoke`,
    },
    ...more,
  };
}

/** An authorization server that hands out one grant for the right code and verifier. */
function authorizationServer(): void {
  let challenge = "";
  fake.mood({
    kind: "routes",
    routes: {
      "GET /authorize": ({ query }) => {
        challenge = query["code_challenge"] ?? "";
        const back = new URL(query["redirect_uri"] ?? "");
        back.search = new URLSearchParams({ code: "code-1", state: query["state"] ?? "" }).toString();
        return { status: 302, headers: { location: back.href } };
      },
      "POST /token": (seen) => {
        const { code, code_verifier = "", ...form } = formOf(seen);
        const proven = createHash("sha256").update(code_verifier).digest("base64url") === challenge;
        if (code !== "code-1" || !proven || form["grant_type"] !== "authorization_code")
          return { status: 400, body: { error: "invalid_grant" } };
        return {
          body: {
            access_token: "canary-access-token",
            refresh_token: "canary-refresh-token",
            expires_in: 3600,
            scope: "https://www.googleapis.com/auth/gmail.modify",
          },
        };
      },
      "GET /gmail/v1/users/me/profile": { body: { emailAddress: "ann@example.com" } },
      "POST /revoke": { body: {} },
    },
  });
}

/** What a browser does: visits the address and follows where it is sent. */
async function visit(address: string): Promise<{ status: number; text: string }> {
  const first = await request(address);
  await first.body.dump();
  const target = first.headers["location"];
  if (typeof target !== "string") return { status: first.statusCode, text: "" };
  const second = await request(target);
  return { status: second.statusCode, text: await second.body.text() };
}

const google = { clientId: "client-1", clientSecret: "canary-client-secret" };

async function open(address: string): Promise<boolean> {
  await visit(address);
  return true;
}

async function refuse(address: string): Promise<boolean> {
  const { searchParams } = new URL(address);
  const query = new URLSearchParams({ error: "access_denied", state: searchParams.get("state") ?? "" });
  await (await request(`${searchParams.get("redirect_uri") ?? ""}?${query.toString()}`)).body.dump();
  return true;
}

/** What a person pastes: the address a browser elsewhere ended up on. */
async function lastAddress(): Promise<string> {
  const address = said.join("\n").split("\n").at(-1) ?? "";
  const { headers, body } = await request(address);
  await body.dump();
  return String(headers["location"]);
}

function gitHubUser(seen: Seen): Canned {
  const { authorization } = seen.headers;
  return authorization === "Bearer canary-pasted-token"
    ? { body: { login: "ann" } }
    : { status: 401, body: { message: `Bad credentials ${String(authorization)}` } };
}

async function nothing(): Promise<boolean> {
  return true;
}

describe("connecting by OAuth", () => {
  it("runs the code flow with PKCE and state over a loopback redirect, and keeps what it got", async () => {
    authorizationServer();
    const pages: { status: number; text: string }[] = [];
    const visiting = async (address: string) => {
      pages.push(await visit(address));
      return true;
    };

    const summary = await connectAccount(options("gmail", { ...google, open: visiting }));

    expect(summary).toMatchObject({
      service: "gmail",
      label: "ann@example.com",
      kind: "oauth",
      keptIn: "file",
      scopes: ["https://www.googleapis.com/auth/gmail.modify"],
    });
    expect(pages[0]?.text).toContain("You can close this window");
    const asked = fake.seen.find(({ path }) => path === "/authorize")?.query;
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: "client-1",
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent",
    });
    expect(asked?.["redirect_uri"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(asked?.["state"]?.length).toBeGreaterThanOrEqual(32);
    const kept = JSON.parse(await readFile(join(home, "tokens.json"), "utf8")) as {
      accounts: Record<string, { secrets: unknown; tokenUrl: string }>;
    };
    expect(kept.accounts["gmail"]?.secrets).toEqual({
      accessToken: "canary-access-token",
      refreshToken: "canary-refresh-token",
      clientSecret: "canary-client-secret",
    });
    expect(kept.accounts["gmail"]?.tokenUrl).toBe(`${fake.url}/token`);
    for (const secret of secrets) expect(JSON.stringify([summary, said, pages])).not.toContain(secret);
  });

  it("does not take an answer with another state, and goes on waiting for its own", async () => {
    authorizationServer();
    const statuses: number[] = [];
    const forging = async (address: string) => {
      const back = new URL(address).searchParams.get("redirect_uri") ?? "";
      const forged = await request(`${back}?code=evil&state=guessed`);
      statuses.push(forged.statusCode);
      await forged.body.dump();
      statuses.push((await visit(address)).status);
      return true;
    };

    await connectAccount(options("gmail", { ...google, open: forging }));

    expect(statuses).toEqual([400, 200]);
    expect(formOf(fake.seen.find(({ path }) => path === "/token"))["code"]).toBe("code-1");
  });

  it("says so when the user refuses, and keeps nothing", async () => {
    await expect(connectAccount(options("gmail", { ...google, open: refuse }))).rejects.toThrow(
      "the authorization was refused (access_denied)",
    );
    expect(await listAccounts({ home, env: {} })).toEqual([]);
  });

  it("takes the address of the last page where no browser can come back", async () => {
    authorizationServer();
    const opened = vi.fn<() => Promise<boolean>>(nothing);

    const summary = await connectAccount(
      options("gmail", { ...google, open: opened, ask: lastAddress, headless: true }),
    );

    expect(summary.label).toBe("ann@example.com");
    expect(opened).not.toHaveBeenCalled();
  });

  it("masks what an authorization server echoes", async () => {
    authorizationServer();
    const body = { error: "invalid_client", error_description: "canary-client-secret is wrong" };
    const failing = options("gmail", { ...google, open });
    const other = await startFake();
    other.mood({ kind: "always", answer: () => ({ status: 401, body }) });

    const error = await connectAccount({
      ...failing,
      urls: { ...failing.urls, token: `${other.url}/token` },
    }).catch((each: unknown) => each);

    expect(error).toBeInstanceOf(AccountError);
    expect(String(error)).toContain("invalid_client: [secret] is wrong");
    await other.close();
  });

  it("gives up after its time, and when it is cancelled", async () => {
    await expect(
      connectAccount(options("gmail", { ...google, open: nothing, timeoutMs: 20 })),
    ).rejects.toThrow("nobody answered within 0.02 s");
    const stop = new AbortController();
    const cancel = async () => {
      stop.abort();
      return true;
    };
    await expect(
      connectAccount(options("gmail", { ...google, open: cancel, signal: stop.signal })),
    ).rejects.toThrow("cancelled");
  });

  it("tells where to register a client when there is none", async () => {
    await expect(connectAccount(options("gmail"))).rejects.toThrow("https://console.cloud.google.com");
  });
});

describe("connecting with a token", () => {
  it("asks for it hidden, tries it, and keeps it", async () => {
    fake.mood({ kind: "routes", routes: { "GET /user": gitHubUser } });
    const asked: string[] = [];
    const askHidden = async (question: string) => {
      asked.push(question);
      return " canary-pasted-token\n";
    };

    const summary = await connectAccount(options("github", { askHidden }));

    expect(summary).toMatchObject({ service: "github", label: "ann", kind: "token", keptIn: "file" });
    expect(asked).toEqual(["GitHub token (hidden)"]);
    expect(said[0]).toContain("https://github.com/settings/personal-access-tokens");
    const listed = await listAccounts({ home, env: {} });
    expect(listed).toEqual([summary]);
    expect(JSON.stringify([listed, said])).not.toContain("canary");
  });

  it("refuses a token that the service refuses, and keeps nothing", async () => {
    fake.mood({ kind: "routes", routes: { "GET /user": gitHubUser } });

    const error = await connectAccount(options("github", { token: "canary-wrong-token" })).catch(
      (each: unknown) => each,
    );

    expect(error).toBeInstanceOf(AccountError);
    expect(String(error)).toContain("GitHub refused the token (401 Bad credentials Bearer [secret])");
    expect(await listAccounts({ home, env: {} })).toEqual([]);
  });

  it("asks for the project address of Supabase", async () => {
    fake.mood({ kind: "routes", routes: { "GET /rest/v1/": { body: { swagger: "2.0" } } } });

    const summary = await connectAccount({
      ...options("supabase", { token: "canary-pasted-token", ask: async () => `${fake.url}/` }),
      urls: {},
    });

    expect(summary.label).toBe(fake.url);
    expect(fake.seen[0]?.headers["apikey"]).toBe("canary-pasted-token");
  });

  it.each([
    ["", "it is empty or holds blanks"],
    ["two words", "it is empty or holds blanks"],
  ])("refuses %j at once", async (token, reason) => {
    await expect(connectAccount(options("slack", { token }))).rejects.toThrow(reason);
    expect(fake.seen).toEqual([]);
  });

  it("names the services when it does not know one", async () => {
    await expect(connectAccount(options("jira"))).rejects.toThrow("one of: gmail, github, slack");
  });
});

describe("the hidden prompt", () => {
  it("asks on stderr, reads one line of a pipe, and repeats nothing of it", async () => {
    const built = compileRooms(["builtin/accounts/prompt.ts"]);
    onTestFinished(() => built.remove());
    const file = JSON.stringify(join(built.folder, "builtin/accounts/prompt.js"));
    const script = `import(${file}).then((m) => m.askHidden("Token")).then((t) => console.log(t.length))`;
    const child = spawn(process.execPath, ["-e", script]);
    const output: string[] = [];
    child.stdout.on("data", (chunk) => output.push(String(chunk)));
    child.stderr.on("data", (chunk) => output.push(String(chunk)));

    child.stdin.write("canary-pasted-toke\bken\n");
    await once(child, "close");

    expect(output.join("")).toBe("Token: \n20\n");
  });
});

describe("accounts", () => {
  it("show a token of the environment in place of a kept one", async () => {
    expect(await listAccounts({ home, env: { MCPVISOR_LINEAR_TOKEN: "canary-pasted-token" } })).toEqual([
      { service: "linear", label: "MCPVISOR_LINEAR_TOKEN", kind: "env", keptIn: "environment" },
    ]);
  });

  it("are revoked and forgotten when they came by OAuth", async () => {
    authorizationServer();
    await connectAccount(options("gmail", { ...google, open }));

    const gone = await disconnectAccount(options("gmail"));

    expect(gone).toMatchObject({ service: "gmail", removed: true, revoked: "yes" });
    expect(formOf(fake.seen.at(-1))).toMatchObject({ token: "canary-refresh-token" });
    expect(await readFile(join(home, "tokens.json"), "utf8")).toBe(
      '{\n  "version": 1,\n  "accounts": {}\n}\n',
    );
  });

  it("are forgotten although the service cannot be reached, and the message says what is left", async () => {
    authorizationServer();
    await connectAccount(options("gmail", { ...google, open }));
    fake.mood({ kind: "always", answer: () => ({ status: 503 }) });

    const gone = await disconnectAccount(options("gmail"));

    expect(gone).toMatchObject({ removed: true, revoked: "failed" });
    expect(gone.message).toContain("did not confirm");
    expect(await listAccounts({ home, env: {} })).toEqual([]);
  });

  it("with a pasted token are forgotten, and the user is told where to revoke it", async () => {
    fake.mood({ kind: "always", answer: () => ({ body: { login: "ann" } }) });
    await connectAccount(options("github", { token: "canary-pasted-token" }));

    const gone = await disconnectAccount(options("github"));

    expect(gone).toMatchObject({ removed: true, revoked: "by-hand" });
    expect(gone.message).toContain("https://github.com/settings/personal-access-tokens");
    expect(await disconnectAccount(options("github"))).toMatchObject({ removed: false, revoked: "none" });
  });

  it("of GitHub's OAuth are revoked in GitHub's own way", async () => {
    fake.mood({
      kind: "routes",
      routes: {
        "GET /authorize": ({ query }) => ({
          status: 302,
          headers: { location: `${query["redirect_uri"] ?? ""}?code=c&state=${query["state"] ?? ""}` },
        }),
        "POST /token": { body: { access_token: "canary-access-token", scope: "repo", token_type: "bearer" } },
        "GET /user": { body: { login: "ann" } },
        "DELETE /revoke/client-1/grant": { status: 204 },
      },
    });
    await connectAccount(options("github", { ...google, open }));

    expect(await disconnectAccount(options("github"))).toMatchObject({ revoked: "yes" });
    expect(fake.seen.at(-1)?.json).toEqual({ access_token: "canary-access-token" });
    expect(fake.seen.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from("client-1:canary-client-secret").toString("base64")}`,
    );
  });
});

describe("a browser", () => {
  it.each([
    ["https://accounts.google.com/o/oauth2", true],
    ["http://127.0.0.1:99/authorize", true],
    ["http://example.com/", false],
    ["file:///etc/passwd", false],
    ["javascript:alert(1)", false],
    ["-a Calculator", false],
  ])("is asked for %s: %s", (address, may) => {
    expect(mayOpen(address)).toBe(may);
  });

  it.skipIf(process.platform !== "linux")("is opened by xdg-open, and missed where that fails", async () => {
    const seen = join(home, "seen");
    const opener = join(home, "xdg-open");
    await writeFile(opener, `#!/bin/sh\nprintf %s "$1" >"${seen}"\ncase $1 in *fail*) exit 3 ;; esac\n`);
    await chmod(opener, 0o755);
    vi.stubEnv("PATH", home);

    expect(await openBrowser("https://example.com/a?b=c&d")).toBe(true);
    expect(await readFile(seen, "utf8")).toBe("https://example.com/a?b=c&d");
    expect(await openBrowser("https://example.com/fail")).toBe(false);

    await rm(opener);
    expect(await openBrowser("https://example.com/")).toBe(false);
  });
});

function formOf(seen: Pick<Seen, "text"> | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(seen?.text ?? ""));
}
