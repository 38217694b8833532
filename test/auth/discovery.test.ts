import { describe, expect, it } from "vitest";
import { createDoor } from "../../src/auth/door/ask.js";
import { bearerChallenge } from "../../src/auth/discovery/challenge.js";
import { discover } from "../../src/auth/discovery/discover.js";
import { issuerPlaces } from "../../src/auth/discovery/issuer.js";
import { AuthError } from "../../src/auth/door/problem.js";
import { canonicalResource, resourcePlaces, speaksFor } from "../../src/auth/discovery/resource.js";
import { realClock } from "../../src/clock.js";
import type { FakeAuthReply, FakeAuthRequest } from "../../src/testing/auth/types.js";
import { fakeAuth } from "./support.js";

const here = { loopback: true, private: true };
const door = (reach = here) => createDoor({ clock: realClock, reach: () => Promise.resolve(reach) });

type Answer = (request: FakeAuthRequest, fake: { url: string; issuer: string }) => FakeAuthReply | undefined;

/** What discovery finds at a fake that answers some requests in its own way, and which well-known places it asked. */
async function found(
  answer: Answer,
  more: { challenge?: string; issuer?: string; resource?: string | false } = {},
) {
  const fake = await fakeAuth();
  fake.intercept((request) => answer(request, fake));
  const { challenge, ...rest } = more;
  const result = await discover({
    ask: door(),
    serverUrl: fake.url,
    challenge: bearerChallenge(challenge?.replaceAll("HERE", new URL(fake.url).origin)),
    ...rest,
  }).then(
    (value) => value,
    (error: unknown) => error as AuthError,
  );
  const asked = fake.requests.map(({ side, path }) => `${side} ${path}`);
  return { result, asked, fake };
}

const protectedAt = "/.well-known/oauth-protected-resource";
const asAt = "/.well-known/oauth-authorization-server";

const metadata =
  (change: (issuer: string) => object): Answer =>
  ({ path }, { issuer }) =>
    path === asAt
      ? {
          body: {
            issuer,
            authorization_endpoint: `${issuer}/a`,
            token_endpoint: `${issuer}/t`,
            ...change(issuer),
          },
        }
      : undefined;

const resourceNamed: Answer = ({ path }, { url, issuer }) =>
  path.startsWith(protectedAt)
    ? { body: { resource: `${new URL(url).origin}/`, authorization_servers: [issuer] } }
    : undefined;

describe("the places of metadata", () => {
  it("of a resource: with its path, then the root", () => {
    expect(resourcePlaces("https://a.example/mcp/")).toEqual([
      `https://a.example${protectedAt}/mcp`,
      `https://a.example${protectedAt}`,
    ]);
    expect(resourcePlaces("https://a.example")).toEqual([`https://a.example${protectedAt}`]);
  });

  it("of an issuer: OAuth before OIDC, paths inserted before appended", () => {
    expect(issuerPlaces("https://a.example/")).toEqual([
      `https://a.example${asAt}`,
      "https://a.example/.well-known/openid-configuration",
    ]);
    expect(issuerPlaces("https://a.example/t/1")).toEqual([
      `https://a.example${asAt}/t/1`,
      "https://a.example/.well-known/openid-configuration/t/1",
      "https://a.example/t/1/.well-known/openid-configuration",
    ]);
  });

  it.each([
    ["https://a.example/mcp", true],
    ["https://a.example/mcp/", true],
    ["https://a.example", true],
    ["https://a.example/", true],
    ["https://a.example/mc", false],
    ["https://a.example/mcp/other", false],
    ["https://a.example/sibling", false],
    ["https://b.example/mcp", false],
    ["http://a.example/mcp", false],
    ["mcp", false],
  ])("metadata for %s speaks for https://a.example/mcp: %s", (resource, expected) => {
    expect(speaksFor(resource, "https://a.example/mcp")).toBe(expected);
  });

  it("has no slash of its own at the end of a canonical resource", () => {
    expect(canonicalResource("https://a.example/")).toBe("https://a.example");
    expect(canonicalResource("https://a.example/mcp/#x")).toBe("https://a.example/mcp/");
  });
});

describe("discovery", () => {
  it("goes where the challenge says and nowhere else", async () => {
    const { result, asked } = await found(
      ({ path }, { url, issuer }) =>
        path === "/odd" ? { body: { resource: url, authorization_servers: [issuer] } } : undefined,
      { challenge: 'Bearer resource_metadata="HERE/odd"' },
    );
    expect(result).toMatchObject({ issuer: { sendsIss: true } });
    expect(asked).toEqual(["resource /odd", `auth ${asAt}`]);
  });

  it("refuses clearly when the advertised metadata is not there", async () => {
    const { result, asked } = await found(() => undefined, {
      challenge: 'Bearer resource_metadata="HERE/gone"',
    });
    expect(result).toMatchObject({ failure: "bad-answer" });
    expect(asked).toEqual(["resource /gone"]);
  });

  it("takes the server's origin for its authorization server when it has no metadata, with default endpoints", async () => {
    const { result, fake } = await found(({ side }) =>
      side === "resource" ? { status: 404, body: "" } : undefined,
    );
    const { origin } = new URL(fake.url);
    expect(result).toMatchObject({
      issuer: {
        issuer: origin,
        authorizationEndpoint: `${origin}/authorize`,
        tokenEndpoint: `${origin}/token`,
      },
      resource: fake.url,
    });
  });

  it("keeps the resource byte for byte, or as the entry says", async () => {
    const plain = await found(resourceNamed);
    expect(plain.result).toMatchObject({ resource: `${new URL(plain.fake.url).origin}/` });
    expect((await found(resourceNamed, { resource: "urn:mine" })).result).toMatchObject({
      resource: "urn:mine",
    });
    expect((await found(resourceNamed, { resource: false })).result).not.toHaveProperty("resource");
  });

  it("takes the first of several issuers that answers", async () => {
    const { result } = await found(({ path }, { url, issuer }) =>
      path.startsWith(protectedAt)
        ? { body: { resource: url, authorization_servers: ["http://127.0.0.1:1/dead", issuer] } }
        : undefined,
    );
    expect(result).toMatchObject({ issuer: { sendsIss: true } });
  });

  it.each<[string, Answer, Partial<AuthError>, RegExp]>([
    [
      "another issuer",
      metadata(() => ({ issuer: "https://evil.example" })),
      { failure: "issuer-mismatch" },
      /"issuer": "https:\/\/evil/,
    ],
    [
      "an issuer with a slash more",
      metadata((at) => ({ issuer: `${at}/` })),
      { failure: "issuer-mismatch" },
      /oauth/,
    ],
    [
      "an issuer in other case",
      metadata((at) => ({ issuer: at.toUpperCase() })),
      { failure: "issuer-mismatch" },
      /oauth/,
    ],
    [
      "a script for an endpoint",
      metadata(() => ({ authorization_endpoint: "javascript:alert(1)" })),
      { failure: "blocked-address" },
      /authorization_endpoint/,
    ],
    [
      "a file for an endpoint",
      metadata(() => ({ authorization_endpoint: "file:///etc/passwd" })),
      { failure: "blocked-address" },
      /authorization_endpoint/,
    ],
    [
      "an endpoint with credentials",
      metadata(() => ({ token_endpoint: "https://a:b@c.example/" })),
      { failure: "blocked-address" },
      /token_endpoint/,
    ],
    [
      "a token endpoint over http",
      metadata(() => ({ token_endpoint: "http://c.example/token" })),
      { failure: "blocked-address" },
      /token_endpoint/,
    ],
    [
      "no token endpoint",
      metadata(() => ({ token_endpoint: undefined })),
      { failure: "bad-answer" },
      /token_endpoint/,
    ],
    [
      "a number for an endpoint",
      metadata(() => ({ token_endpoint: 7 })),
      { failure: "bad-answer" },
      /token_endpoint/,
    ],
    [
      "HTML",
      ({ path }) =>
        path === asAt ? { headers: { "content-type": "text/html" }, body: "<html>" } : undefined,
      { failure: "bad-answer" },
      /no JSON/,
    ],
    [
      "broken JSON",
      ({ path }) => (path === asAt ? { body: "{" } : undefined),
      { failure: "bad-answer" },
      /no JSON/,
    ],
    [
      "JSON of depth 3000",
      ({ path }) => (path === asAt ? { body: `{"a":${"[".repeat(3000)}${"]".repeat(3000)}}` } : undefined),
      { failure: "bad-answer" },
      /nested/,
    ],
    [
      "10 MiB",
      ({ path }) => (path === asAt ? { body: "x".repeat(10 * 1024 * 1024) } : undefined),
      { failure: "bad-answer" },
      /larger/,
    ],
    ["no end", ({ path }) => (path === asAt ? "endless" : undefined), { failure: "bad-answer" }, /larger/],
    ["a list", ({ path }) => (path === asAt ? { body: [] } : undefined), { failure: "bad-answer" }, /object/],
    [
      "HTTP 503",
      ({ path }) => (path === asAt ? { status: 503 } : undefined),
      { failure: "unreachable" },
      /503/,
    ],
    [
      "resource metadata for a sibling",
      ({ path }, { url, issuer }) =>
        path.startsWith(protectedAt)
          ? { body: { resource: `${url}-2`, authorization_servers: [issuer] } }
          : undefined,
      { failure: "resource-mismatch" },
      /not for this server/,
    ],
    [
      "resource metadata for another host",
      ({ path }, { issuer }) =>
        path.startsWith(protectedAt)
          ? { body: { resource: "https://other.example/mcp", authorization_servers: [issuer] } }
          : undefined,
      { failure: "resource-mismatch" },
      /not for this server/,
    ],
    [
      "a redirect to another origin",
      ({ path }) =>
        path.startsWith(protectedAt)
          ? { status: 302, headers: { location: "https://evil.example/" } }
          : undefined,
      { failure: "redirected" },
      /evil/,
    ],
    [
      "a redirect to the cloud's metadata",
      ({ path }) =>
        path.startsWith(protectedAt)
          ? { status: 302, headers: { location: "http://169.254.169.254/latest" } }
          : undefined,
      { failure: "redirected" },
      /169/,
    ],
    [
      "an issuer on the cloud's metadata address",
      ({ path }, { url }) =>
        path.startsWith(protectedAt)
          ? { body: { resource: url, authorization_servers: ["https://169.254.169.254"] } }
          : undefined,
      { failure: "blocked-address" },
      /reserved/,
    ],
    [
      "endless redirects in one origin",
      ({ path }) =>
        path.startsWith(protectedAt) ? { status: 302, headers: { location: protectedAt } } : undefined,
      { failure: "redirected" },
      /redirects/,
    ],
  ])("refuses %s with one clear error", async (_what, answer, expected, words) => {
    const { result, asked } = await found(answer);
    expect(result).toBeInstanceOf(AuthError);
    expect(result).toMatchObject(expected);
    expect((result as AuthError).message).toMatch(words);
    expect((result as AuthError).message.length).toBeLessThan(600);
    expect(asked.some((each) => /authorize|token|register/.test(each))).toBe(false);
  });

  it("takes another issuer of the document on the person's own word", async () => {
    const { result } = await found(
      metadata(() => ({ issuer: "https://tenant.example" })),
      { issuer: "https://tenant.example" },
    );
    expect(result).toMatchObject({ issuer: { issuer: "https://tenant.example" } });
  });

  it("does not ask this machine on the word of a public server", async () => {
    const fake = await fakeAuth();
    const ask = door({ loopback: false, private: false });
    const error = await ask({ method: "GET", url: fake.issuer, what: "x", timeoutMs: 1000 }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ failure: "blocked-address" });
    const named = fake.issuer.replace("127.0.0.1", "localhost");
    expect(
      await ask({ method: "GET", url: named, what: "x", timeoutMs: 1000 }).catch((reason: unknown) => reason),
    ).toMatchObject({ failure: "blocked-address" });
    expect(fake.requests).toEqual([]);
  });

  it("follows no redirect of a POST, not even in one origin", async () => {
    const fake = await fakeAuth({
      intercept: ({ path }) =>
        path === "/token" ? { status: 307, headers: { location: "/other" } } : undefined,
    });
    const error = await door()({
      method: "POST",
      url: `${fake.issuer}/token`,
      body: "code=secret",
      what: "x",
      timeoutMs: 1000,
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ failure: "redirected" });
    expect(fake.requests).toHaveLength(1);
  });

  it("waits no longer than it says", async () => {
    const fake = await fakeAuth({ intercept: () => "silence" });
    const error = await door()({
      method: "GET",
      url: fake.issuer,
      what: "the metadata",
      timeoutMs: 200,
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ failure: "unreachable", perhapsDone: true });
  });
});
