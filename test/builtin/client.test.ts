import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createClient } from "../../src/builtin/client/client.js";
import type { Client } from "../../src/builtin/contract/client.js";
import type { ServiceError } from "../../src/builtin/contract/problem.js";
import { isRateLimit, retryDelay, waitOf } from "../../src/builtin/client/retry.js";
import { parseBaseUrl, path } from "../../src/builtin/client/url.js";
import { realClock } from "../../src/builtin/contract/clock.js";
import { serviceOf } from "../../src/builtin/services/table.js";
import { type Fake, startFake } from "./support/fake.js";

let fake: Fake;
const okay = z.object({ fine: z.boolean() });

beforeEach(async () => {
  fake = await startFake();
});

afterEach(() => fake.close());

function client(options: { baseUrl?: string; maxBytes?: number; signal?: AbortSignal } = {}): Client {
  const account = {
    label: "x",
    kind: "token",
    keptIn: "file",
    connectedAt: 1,
    secrets: { accessToken: "secret-of-the-client" },
  } as const;
  return createClient({
    service: serviceOf("github"),
    baseUrl: fake.url,
    access: { current: async () => account, renew: async () => undefined },
    clock: realClock,
    timeoutMs: 20_000,
    maxBytes: 1_000,
    ...options,
  });
}

async function problem(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => Promise.reject(new Error("it should have failed")),
    (error: ServiceError) => error,
  );
}

/** Answers one after the other; the last one for ever. */
function inTurn(...answers: { status: number; headers?: Record<string, string>; body?: unknown }[]): void {
  let turn = 0;
  fake.mood({
    kind: "always",
    answer: () => answers[Math.min(turn++, answers.length - 1)] ?? { status: 500 },
  });
}

describe("a client", () => {
  it("waits out a short rate limit, also for writes, since nothing was done", async () => {
    inTurn({ status: 429, headers: { "retry-after": "0" } }, { status: 200, body: { fine: true } });

    expect(await client().post(okay, "/x", {})).toEqual({ fine: true });
    expect(fake.seen).toHaveLength(2);
  });

  it("gives up on a rate limit after three attempts", async () => {
    inTurn({ status: 429, headers: { "retry-after": "0" } });

    expect((await problem(client().get(okay, "/x"))).kind).toBe("rate-limited");
    expect(fake.seen).toHaveLength(3);
  });

  it("repeats a read after a 503 but never a write", async () => {
    inTurn({ status: 503, headers: { "retry-after": "0" } }, { status: 200, body: { fine: true } });
    expect(await client().get(okay, "/x")).toEqual({ fine: true });

    inTurn({ status: 503, headers: { "retry-after": "0" } }, { status: 200, body: { fine: true } });
    const error = await problem(client().post(okay, "/x", {}));
    expect(error.kind).toBe("service-down");
    expect(error.message).toContain("Whether it was carried out is not known");
    expect(fake.seen).toHaveLength(1);
  });

  it("follows a read within its origin, with the token", async () => {
    fake.mood({
      kind: "routes",
      routes: {
        "GET /old": { status: 301, headers: { location: "/new" } },
        "GET /new": { body: { fine: true } },
      },
    });

    expect(await client().get(okay, "/old")).toEqual({ fine: true });
    expect(fake.seen[1]?.headers.authorization).toBe("Bearer secret-of-the-client");
  });

  it("never follows to another origin", async () => {
    const other = await startFake();
    inTurn({ status: 302, headers: { location: `${other.url}/x` } });

    const error = await problem(client().get(okay, "/x"));

    expect(error.kind).toBe("unexpected");
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it("reads no more than the cap of an answer", async () => {
    inTurn({ status: 200, body: { fine: true, more: "x".repeat(1_000) } });

    const error = await problem(client().get(okay, "/x"));

    expect(error.kind).toBe("too-large");
    expect(error.message).toContain("more than 1000 bytes");
  });

  it("says so when a proxy answers with a page", async () => {
    inTurn({ status: 200, body: "<html>Sign in</html>" });

    expect((await problem(client().get(okay, "/x"))).message).toContain("GitHub answered in an unknown form");
  });

  it("knows that nothing was done when there is nobody at the address", async () => {
    const gone = await startFake();
    await gone.close();

    const error = await problem(client({ baseUrl: gone.url }).post(okay, "/x", {}));

    expect(error.kind).toBe("unreachable");
    expect(error.message).toContain("Nothing was done");
  });

  it("does not know whether a write was done when the connection breaks", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;

    const error = await problem(client({ baseUrl: `http://127.0.0.1:${port}` }).post(okay, "/x", {}));

    expect(error.kind).toBe("unexpected");
    expect(error.message).toContain("Whether it was carried out is not known");
    await new Promise((resolve) => server.close(resolve));
  });

  it("stops waiting for a rate limit when the call is cancelled", async () => {
    const stop = new AbortController();
    fake.mood({
      kind: "always",
      answer: () => {
        setImmediate(() => stop.abort());
        return { status: 429, headers: { "retry-after": "4" } };
      },
    });

    expect((await problem(client({ signal: stop.signal }).get(okay, "/x"))).kind).toBe("cancelled");
    expect(fake.seen).toHaveLength(1);
  });
});

describe("the rules of trying again", () => {
  it.each([
    [{ status: 429, limited: true, waitMs: 5_000, safe: false, number: 1 }, 5_000],
    [{ status: 429, limited: true, waitMs: 5_001, safe: true, number: 1 }, undefined],
    [{ status: 429, limited: true, waitMs: undefined, safe: true, number: 2 }, 1_000],
    [{ status: 503, limited: false, waitMs: undefined, safe: true, number: 1 }, 500],
    [{ status: 503, limited: false, waitMs: undefined, safe: false, number: 1 }, undefined],
    [{ status: 500, limited: false, waitMs: undefined, safe: true, number: 1 }, undefined],
    [{ status: 503, limited: false, waitMs: 0, safe: true, number: 3 }, undefined],
  ])("decide %j as %s", (attempt, delay) => {
    expect(retryDelay(attempt)).toBe(delay);
  });

  it("read Retry-After as seconds or as a date, and GitHub's reset only when nothing is left", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");

    expect(waitOf({ "retry-after": "2" }, now)).toBe(2_000);
    expect(waitOf({ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, now)).toBe(10_000);
    expect(waitOf({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, now)).toBe(0);
    expect(waitOf({ "retry-after": "soon" }, now)).toBeUndefined();
    expect(waitOf({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225603" }, now)).toBe(3_000);
    expect(waitOf({ "x-ratelimit-remaining": "9", "x-ratelimit-reset": "1767225603" }, now)).toBeUndefined();
    expect(isRateLimit(403, {})).toBe(false);
    expect(isRateLimit(403, { "retry-after": "1" })).toBe(true);
  });
});

describe("addresses", () => {
  it.each(["ftp://x.com", "http://example.com", "https://a:b@x.com", "https://x.com?a=1", "x.com", ""])(
    "refuse %j as a base",
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow("is no base address");
    },
  );

  it("take https anywhere and http on this machine, without a trailing slash", () => {
    expect(parseBaseUrl("https://ghe.example.com/api/v3/")).toBe("https://ghe.example.com/api/v3");
    expect(parseBaseUrl("http://127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
  });

  it("keep inserted parts inside their segment", () => {
    expect(path`/a/${"x/../y?z#w"}/b`).toBe("/a/x%2F..%2Fy%3Fz%23w/b");
    expect(() => path`/a/${".."}/b`).toThrow("cannot be a name");
  });

  it("never quote a password back", () => {
    expect(() => parseBaseUrl("https://user:hunter22@x.com?token=abc")).toThrow(/^((?!hunter22|abc).)*$/);
  });
});
