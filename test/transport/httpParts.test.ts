import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorOf, errorWithoutId, isAnswerTo } from "../../src/transport/http/answers.js";
import { excerpt } from "../../src/transport/http/excerpt.js";
import { judgeFailure } from "../../src/transport/http/failure.js";
import { Gate } from "../../src/transport/http/gate.js";
import { header, mediaType, retryAfter } from "../../src/transport/http/headers.js";
import { mask } from "../../src/transport/http/mask.js";
import { prepareDial } from "../../src/transport/http/connect/dial.js";
import { Wire } from "../../src/transport/http/connect/wire.js";
import { redirectTarget } from "../../src/transport/http/redirect.js";
import { fixedHeaders } from "../../src/transport/http/session.js";
import { judgeReply } from "../../src/transport/http/verdict.js";

describe("judgeFailure", () => {
  it.each([
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["ECONNREFUSED", "refused"],
    ["EHOSTUNREACH", "refused"],
    ["ENETUNREACH", "refused"],
    ["UND_ERR_CONNECT_TIMEOUT", "connect-timeout"],
    ["ETIMEDOUT", "connect-timeout"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["EPROTO", "tls"],
    ["ECONNRESET", "reset"],
    ["UND_ERR_SOCKET", "reset"],
    ["ESOMETHINGELSE", "reset"],
  ])("says %s before anything was written is %s, and that nothing was sent", (code, kind) => {
    const loss = judgeFailure(Object.assign(new Error("secret detail"), { code }), "unsent", "s");

    expect(loss).toMatchObject({ sent: "no", cause: { kind } });
    expect(loss.cause.message).toContain(`(${code})`);
    expect(loss.cause.message).not.toContain("secret");
  });

  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ETIMEDOUT", "ECONNREFUSED"])(
    "does not claim that nothing was sent for %s once something may have been written",
    (code) => {
      const error = Object.assign(new Error("x"), { code });

      expect(judgeFailure(error, "sent", "s")).toMatchObject({ sent: "unknown", cause: { kind: "reset" } });
      expect(judgeFailure(error, "answering", "s")).toMatchObject({ sent: "yes", cause: { kind: "reset" } });
    },
  );

  it("finds the code in a cause and in the first of several failures", () => {
    const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED" });

    expect(judgeFailure(new Error("y", { cause: refused }), "unsent", "s").cause.kind).toBe("refused");
    expect(judgeFailure(new AggregateError([refused, new Error("z")]), "unsent", "s").cause.kind).toBe(
      "refused",
    );
    expect(judgeFailure("text", "unsent", "s")).toMatchObject({ sent: "no", cause: { kind: "reset" } });
  });
});

describe("headers of an answer", () => {
  it("compare media types by their essence", () => {
    expect(mediaType({ "content-type": "Text/Event-Stream; charset=utf-8" })).toBe("text/event-stream");
    expect(mediaType({ "content-type": ["application/json", "text/html"] })).toBe("application/json");
    expect(mediaType({})).toBe("");
  });

  it("give the first of repeated values", () => {
    expect(header({ location: ["/a", "/b"] }, "location")).toBe("/a");
    expect(header({ location: [] }, "location")).toBe("");
  });

  it.each([
    ["2", 2000],
    [" 10 ", 10_000],
    ["0", 0],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 59_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-1.5x", undefined],
    ["", undefined],
  ])("read Retry-After %j as %j ms", (value, expected) => {
    expect(retryAfter({ "retry-after": value }, 1000)).toBe(expected);
  });
});

describe("redirectTarget", () => {
  const from = new URL("https://a.example/mcp?x=1");

  it.each([
    [307, "/other", "/other"],
    [308, "https://a.example/other?y=2#z", "/other?y=2"],
    [307, "sub", "/sub"],
    [307, "https://a.example:443/other", "/other"],
    [302, "/other", undefined],
    [307, "", undefined],
    [307, "http://a.example/other", undefined],
    [307, "https://a.example:8443/other", undefined],
    [307, "https://b.example/other", undefined],
    [307, "//b.example/other", undefined],
    [307, "https://a.example@b.example/", undefined],
    [307, "\\\\b.example\\x", undefined],
    [307, "https://[", undefined],
    [307, "javascript:alert(1)", undefined],
  ])("answers %i to %j with %j", (status, location, expected) => {
    expect(redirectTarget(status, location, from)).toBe(expected);
  });

  it("never leaves the origin", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (location) => {
        const path = redirectTarget(307, location, from);

        expect(path === undefined || path.startsWith("/")).toBe(true);
      }),
    );
  });
});

describe("excerpt", () => {
  it("cuts at characters, not inside them", () => {
    expect(excerpt("ab😀cd", 3)).toBe("ab😀…");
    expect(excerpt("ab😀", 3)).toBe("ab😀");
  });

  it("never lets a control or format character through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(excerpt(text, 50)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
    );
  });
});

describe("mask", () => {
  it("hides every occurrence of every secret, and leaves very short values", () => {
    expect(mask("key abcd, abcd and xyz", ["abcd", "xyz", undefined])).toBe("key ***, *** and xyz");
  });
});

describe("answers", () => {
  it("are told apart from requests and from answers to others", () => {
    expect(isAnswerTo({ id: 7, result: {} }, 7)).toBe(true);
    expect(isAnswerTo({ id: "7", error: {} }, 7)).toBe(true);
    expect(isAnswerTo({ id: 7, result: null }, 7)).toBe(true);
    expect(isAnswerTo({ id: 7, method: "ping" }, 7)).toBe(false);
    expect(isAnswerTo({ id: 8, result: {} }, 7)).toBe(false);
    expect(isAnswerTo({ id: 7 }, 7)).toBe(false);
    expect(isAnswerTo({ id: null, error: {} }, 7)).toBe(false);
    expect(isAnswerTo([{ id: 7, result: {} }], 7)).toBe(false);
    expect(isAnswerTo(null, 7)).toBe(false);
  });

  it("give only well-formed errors", () => {
    expect(errorOf({ error: { code: -1, message: "m", data: 0 } })).toEqual({
      code: -1,
      message: "m",
      data: 0,
    });
    expect(errorOf({ error: { code: 1.5, message: "m" } })).toBeUndefined();
    expect(errorOf({ error: { code: 1 } })).toBeUndefined();
    expect(errorOf({ error: "m" })).toBeUndefined();
    expect(errorWithoutId({ id: null, error: { code: -1, message: "m" } })).toEqual({
      code: -1,
      message: "m",
    });
    expect(errorWithoutId({ id: 1, error: { code: -1, message: "m" } })).toBeUndefined();
  });
});

const headersOf = (headers: Record<string, string>, userAgent?: string): string[] =>
  fixedHeaders({ kind: "http", url: "https://a.example/mcp", headers }, userAgent);

describe("the headers of a configuration", () => {
  it.each([
    "Connection",
    "Content-Length",
    "Content-Encoding",
    "Expect",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
  ])("never say how a message is framed: %s", (name) => {
    expect(headersOf({ [name]: "x", "X-Key": "k" })).toEqual(["x-key", "k"]);
    expect(headersOf({ [name.toLowerCase()]: "x" })).toEqual([]);
  });

  it("win over the user agent of the host, whatever their case", () => {
    expect(headersOf({ "User-Agent": "theirs" }, "ours")).toEqual(["user-agent", "theirs"]);
    expect(headersOf({}, "ours")).toEqual(["user-agent", "ours"]);
    expect(headersOf({})).toEqual([]);
  });
});

const judged = (status: number, body: unknown, hadSession = false, headers = {}) =>
  judgeReply(
    { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) },
    { server: "s", address: "https://a.example/mcp?key=secret", hadSession, now: 1000 },
  );

describe("judgeReply", () => {
  const error = { code: -32000, message: "no such file" };

  it.each([
    [400, "yes", "http-error", true],
    [499, "yes", "http-error", true],
    [500, "yes", "server-error", true],
    [502, "yes", "server-error", true],
    // The server is away or overloaded: whoever answered for it knows nothing of the tool.
    [503, "yes", "server-error", false],
    [504, "yes", "server-error", true],
    [401, "no", "auth-required", false],
    [403, "no", "forbidden", false],
    [429, "no", "rate-limited", false],
    [302, "yes", "redirected", false],
    [399, "yes", "redirected", false],
  ])("of a JSON-RPC error under HTTP %i: sent %s, %s", (status, sent, kind, isAnswer) => {
    const loss = judged(status, { jsonrpc: "2.0", id: 1, error });

    expect(loss).toMatchObject({ sent, cause: { kind, httpStatus: status } });
    expect(loss.error).toEqual(isAnswer ? error : undefined);
    expect(loss.cause.message).not.toContain("secret");
  });

  it.each([
    [404, "", true],
    [410, "", true],
    [400, "unknown session", true],
    [503, "the session has expired", true],
    [400, "bad arguments", false],
    [402, "unknown session", false],
  ])("takes HTTP %i with %j for a lost session only where one was sent: %s", (status, text, isLost) => {
    expect(judged(status, text, true).cause.kind === "session-lost").toBe(isLost);
    expect(judged(status, text, false).cause.kind).not.toBe("session-lost");
    expect(judged(status, text, true).sent).toBe(isLost ? "no" : "yes");
  });

  it.each([
    [429, 2000],
    [503, 2000],
    [500, undefined],
    [403, undefined],
  ])("keeps Retry-After of HTTP %i as %s ms", (status, retryAfterMs) => {
    expect(judged(status, "", false, { "retry-after": "2" }).cause.retryAfterMs).toBe(retryAfterMs);
  });
});

describe("the gate", () => {
  it("runs what waited in its order, and shuts again when one of them shuts it", () => {
    const ran: string[] = [];
    const gate = new Gate();
    gate.pass(() => ran.push("at once"));
    gate.shut();
    gate.pass(() => {
      ran.push("first");
      gate.shut();
    });
    gate.pass(() => ran.push("second"));
    expect(ran).toEqual(["at once"]);

    gate.open();
    expect(ran).toEqual(["at once", "first"]);

    gate.open();
    expect(ran).toEqual(["at once", "first", "second"]);
  });
});

describe("the connections to a server", () => {
  it("row 7: have no time limit on headers and bodies below ours, so that a silent stream lives", async () => {
    const options: unknown[] = [];
    const Pool = function remember(...given: unknown[]): void {
      options.push(given);
    };

    const undici = { Pool } as unknown as typeof import("undici");
    const target = { kind: "http", url: "https://a.example/mcp", headers: {} } as const;
    const wire = new Wire(await prepareDial(undici, { id: "a", target, connectTimeoutMs: 5000, env: {} }));

    expect(wire.origin).toBe("https://a.example");
    expect(options).toEqual([
      [
        "https://a.example",
        { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5000, keepAliveInitialDelay: 30_000 } },
      ],
    ]);
  });
});
