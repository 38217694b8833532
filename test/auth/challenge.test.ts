import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bearerChallenge, parseChallenges } from "../../src/auth/discovery/challenge.js";

describe("parsing WWW-Authenticate", () => {
  it.each([
    [
      'Bearer resource_metadata="https://a/x", scope="a b"',
      { resourceMetadata: "https://a/x", scopes: ["a", "b"] },
    ],
    ["Bearer scope=mcp:basic", { scopes: ["mcp:basic"] }],
    ['Basic realm="x", Bearer error="invalid_token"', { error: "invalid_token" }],
    [
      'Bearer error = "insufficient_scope" , scope = "a\\"b c"',
      { error: "insufficient_scope", scopes: ['a"b', "c"] },
    ],
    [
      'Digest nonce=abc, qop="auth", bearer Resource_Metadata="https://b/"',
      { resourceMetadata: "https://b/" },
    ],
    ["Bearer", {}],
    ['Negotiate YWJj==, Bearer scope="x"', { scopes: ["x"] }],
    ['Bearer realm="a, Bearer scope=evil", scope="x"', { scopes: ["x"] }],
  ])("%s", (header, expected) => {
    expect(bearerChallenge(header)).toEqual({ scheme: "bearer", ...expected });
  });

  it("finds the Bearer challenge in several lines, the one that names metadata first", () => {
    expect(
      bearerChallenge(["Basic", 'Bearer scope="a"', 'Bearer resource_metadata="https://m/"']),
    ).toMatchObject({
      resourceMetadata: "https://m/",
    });
    expect(bearerChallenge(undefined)).toBeUndefined();
    expect(bearerChallenge("Basic realm=x")).toBeUndefined();
  });

  it("reads whatever oauth4webapi reads, in the same way", async () => {
    const lib = await import("oauth4webapi");
    const token = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/);
    const value = fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9._:/-]{1,12}$/),
      fc
        .stringMatching(/^[ -~]{0,16}$/)
        .map((text) => `"${text.replaceAll(/["\\]/g, (each) => `\\${each}`)}"`),
    );
    const parameters = fc.uniqueArray(fc.tuple(token, value), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name.toLowerCase(),
    });
    const header = fc
      .array(fc.tuple(token, parameters), { minLength: 1, maxLength: 3 })
      .map((challenges) =>
        challenges
          .map(([scheme, list]) => `${scheme} ${list.map(([name, text]) => `${name}=${text}`).join(", ")}`)
          .join(", "),
      );
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        const response = new Response("", { status: 401, headers: { "www-authenticate": text } });
        const error = await lib
          .processGenericTokenEndpointResponse({ issuer: "https://a" }, { client_id: "c" }, response)
          .catch((reason: unknown) => reason);
        if (!(error instanceof lib.WWWAuthenticateChallengeError)) return;
        expect(parseChallenges(response.headers.get("www-authenticate")!)).toEqual(error.cause);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws and never hangs, whatever the header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(Array.isArray(parseChallenges(text))).toBe(true);
      }),
    );
    const began = performance.now();
    parseChallenges(`Bearer a="${'\\"'.repeat(20_000)}`);
    parseChallenges("a=".repeat(20_000));
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
