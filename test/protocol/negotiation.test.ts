import { describe, expect, it } from "vitest";
import { judgeProbe, planFor } from "../../src/protocol/negotiation.js";
import type { ProbeEnd } from "../../src/protocol/negotiation.js";

const error = (code: number, data?: unknown): ProbeEnd => ({
  kind: "error",
  error: { code, message: "no", ...(data === undefined ? {} : { data }) },
});
const http = (httpStatus: number): ProbeEnd => ({
  kind: "lost",
  sent: "yes",
  cause: { kind: "http-error", message: `HTTP ${httpStatus}`, httpStatus },
});
const kindOf = (end: ProbeEnd): string => judgeProbe(end, 'server "x"').kind;

describe("judgeProbe", () => {
  it("reads a discovery", () => {
    const result = {
      supportedVersions: ["2027-01-01", "2026-07-28"],
      capabilities: { tools: {} },
      instructions: "be kind",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "demo", version: "3", title: "Demo" } },
    };

    expect(judgeProbe({ kind: "result", result }, "x")).toEqual({
      kind: "modern",
      session: {
        protocolVersion: "2026-07-28",
        server: { name: "demo", version: "3", title: "Demo" },
        capabilities: { tools: {} },
        instructions: "be kind",
      },
    });
  });

  it("carries instructions only where they are text, and a serverInfo of either place", () => {
    const supportedVersions = ["2026-07-28"];
    const judged = (more: object) =>
      judgeProbe({ kind: "result", result: { supportedVersions, ...more } }, "x");

    expect(judged({ instructions: 7, serverInfo: { name: "a", version: 1, title: 2 } })).toStrictEqual({
      kind: "modern",
      session: { protocolVersion: "2026-07-28", server: { name: "a", version: "unknown" }, capabilities: {} },
    });
    expect(judged({ capabilities: [], serverInfo: "a", _meta: 7 })).toMatchObject({
      session: { server: { name: "unknown", version: "unknown" }, capabilities: {} },
    });
  });

  it("says why a modern server refuses", () => {
    expect(judgeProbe(error(-32020), 'server "x"')).toEqual({
      kind: "refused",
      cause: { kind: "handshake-error", message: 'server "x" refused server/discover: no (code -32020)' },
    });
    expect(judgeProbe(error(-32022), 'server "x"')).toMatchObject({
      cause: { message: expect.stringMatching(/speaks no revision it would name; known/) },
    });
  });

  it.each([
    ["http-error", "no", "legacy"],
    ["session-lost", "no", "legacy"],
    ["not-json", "yes", "legacy"],
    ["server-error", "yes", "legacy"],
    ["server-error", "no", "unknown"],
    ["reset", "yes", "legacy"],
    ["reset", "unknown", "unknown"],
    ["dns", "yes", "unknown"],
    ["auth-required", "no", "unknown"],
    ["crashed", "unknown", "unknown"],
  ] as const)("takes the loss of the probe by %s (sent: %s) for: %s", (kind, sent, verdict) => {
    expect(kindOf({ kind: "lost", sent, cause: { kind, message: "m" } })).toBe(verdict);
  });

  it.each([
    ["some other things among its versions", { supportedVersions: ["2026-07-28", 1] }],
    ["no list of versions", { supportedVersions: "2026-07-28" }],
    ["a list of something else", { supportedVersions: [1] }],
    ["an empty object", {}],
    ["null", null],
    ["only older revisions", { supportedVersions: ["2025-06-18"] }],
  ])("takes %s for a legacy server", (_, result) => {
    expect(kindOf({ kind: "result", result })).toBe("legacy");
  });

  it.each([-32601, -32602, -32600, -32603, -32000, -32001, -32003, -32004, 0, 404])(
    "takes error %d for a legacy server (row 25)",
    (code) => {
      expect(kindOf(error(code))).toBe("legacy");
    },
  );

  it.each([400, 404, 405, 406, 415, 200])(
    "takes HTTP %d without a known body for a legacy server (row 25)",
    (status) => {
      expect(kindOf(http(status))).toBe("legacy");
    },
  );

  it("never takes the three errors of 2026-07-28 for a legacy server (row 26)", () => {
    expect(kindOf(error(-32020))).toBe("refused");
    expect(kindOf(error(-32021, { requiredCapabilities: {} }))).toBe("refused");
    expect(judgeProbe(error(-32022, { supported: ["2026-07-28"] }), "x")).toEqual({
      kind: "again",
      revision: "2026-07-28",
    });
    expect(judgeProbe(error(-32022, { supported: ["2031-01-01"] }), 'server "x"')).toEqual({
      kind: "refused",
      cause: {
        kind: "version-mismatch",
        message:
          'server "x" speaks 2031-01-01; known: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05. Use a server version that speaks one of these.',
      },
    });
  });

  it("takes -32022 that names only older revisions for a legacy server", () => {
    expect(kindOf(error(-32022, { supported: ["2025-11-25"] }))).toBe("legacy");
  });

  it.each([
    "server-error",
    "auth-required",
    "forbidden",
    "rate-limited",
    "refused",
    "dns",
    "tls",
    "connect-timeout",
  ] as const)("learns nothing from %s (row 26)", (kind) => {
    expect(kindOf({ kind: "lost", sent: "no", cause: { kind, message: "" } })).toBe("unknown");
  });

  it("tells an empty answer from a broken connection", () => {
    const cause = { kind: "reset", message: "" } as const;
    expect(kindOf({ kind: "lost", sent: "yes", cause })).toBe("legacy");
    expect(kindOf({ kind: "lost", sent: "unknown", cause })).toBe("unknown");
  });
});

describe("planFor", () => {
  it.each([
    ["2025-06-18", undefined, "http", "legacy"],
    ["2026-07-28", "legacy", "stdio", "modern"],
    ["auto", undefined, "stdio", "probe-first"],
    ["auto", "legacy", "stdio", "initialize-first"],
    [undefined, undefined, "stdio", "initialize-first"],
    [undefined, "modern", "stdio", "probe-first"],
    [undefined, undefined, "http", "probe-first"],
    [undefined, "legacy", "http", "initialize-first"],
    [undefined, undefined, "sse", "legacy"],
  ] as const)("pinned %s, known %s, over %s: %s", (pinned, known, transport, plan) => {
    expect(planFor(pinned, known, transport)).toBe(plan);
  });
});
