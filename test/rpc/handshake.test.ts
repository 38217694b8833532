import { describe, expect, it } from "vitest";
import type { ConnectError } from "../../src/errors.js";
import { legacyRevisions } from "../../src/protocol/revision.js";
import { handshake } from "../../src/rpc/handshake.js";
import type { NegotiateOptions } from "../../src/rpc/negotiate.js";
import { negotiate } from "../../src/rpc/negotiate.js";
import type { Transport } from "../../src/transport/transport.js";
import { openRig, turn } from "./rig.js";

const identity = { info: { name: "host", version: "1" }, capabilities: { roots: {} } };
const greeting = {
  protocolVersion: "2025-11-25",
  serverInfo: { name: "s", version: "2" },
  capabilities: { tools: {} },
};
const session = {
  protocolVersion: "2025-11-25",
  server: { name: "s", version: "2" },
  capabilities: { tools: {} },
};
const discovery = {
  supportedVersions: ["2026-07-28"],
  capabilities: {},
  serverInfo: { name: "m", version: "3" },
};
const modernSession = {
  protocolVersion: "2026-07-28",
  server: { name: "m", version: "3" },
  capabilities: {},
};
const crashed = { kind: "crashed", message: "it ended" } as const;

const settled = <T>(promise: Promise<T>): Promise<T | { failed: unknown }> =>
  promise.catch((error: ConnectError) => ({ failed: error.info ?? error }));

async function begin(given: Partial<NegotiateOptions> = {}, transport: Partial<Transport> = {}) {
  const rig = await openRig({}, undefined, transport);
  const options: NegotiateOptions = {
    identity,
    offer: "2025-11-25",
    dueAt: 6000,
    deadlines: rig.deadlines,
    clock: rig.clock,
    who: 'server "s"',
    plan: "initialize-first",
    hedgeMs: 1000,
    ...given,
  };
  return {
    ...rig,
    options,
    negotiated: () => settled(negotiate(rig.channel, options)),
    shaken: () => settled(handshake(rig.channel, options)),
    methods: () => rig.got.map(({ method }) => method),
  };
}

describe("the handshake", () => {
  it("offers a version, takes the agreed one into force, says so, and leaves nothing behind", async () => {
    const rig = await begin();
    const outcome = rig.shaken();
    await turn();
    expect(rig.got).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: identity.info },
      },
    ]);
    expect([rig.agreed, rig.listens()]).toEqual([[], 0]);

    rig.answer(1, { ...greeting, protocolVersion: "2024-11-05", instructions: "be kind" });

    expect(await outcome).toEqual({ ...session, protocolVersion: "2024-11-05", instructions: "be kind" });
    await turn();
    expect(rig.methods()).toEqual(["initialize", "notifications/initialized"]);
    expect([rig.agreed, rig.listens(), rig.channel.codec.revision]).toEqual([
      ["2024-11-05"],
      1,
      "2024-11-05",
    ]);
    expect([rig.deadlines.size, rig.channel.pending]).toEqual([0, 0]);
  });

  it("asks once more with the newest version that a refusal names, and no third time", async () => {
    const rig = await begin();
    const outcome = rig.shaken();
    await turn();
    rig.refuse(1, -32_602, "no", { supported: ["2024-11-05", "2025-03-26", "2025-11-25", "2031-01-01"] });
    await turn();
    expect(rig.asked("initialize")?.params?.["protocolVersion"]).toBe("2025-03-26");
    rig.refuse(2, -32_602, "no", { supported: ["2024-11-05"] });

    expect(await outcome).toEqual({
      failed: {
        kind: "version-mismatch",
        message: 'server "s" refused initialize (offered 2025-11-25; it names 2024-11-05): no (code -32602)',
      },
    });
    expect(rig.methods()).toEqual(["initialize", "initialize"]);
  });

  it.each([
    [[], "handshake-error", 'server "s" refused initialize (offered 2025-11-25): no (code -1)'],
    [
      ["2031-01-01"],
      "version-mismatch",
      'server "s" refused initialize (offered 2025-11-25; it names 2031-01-01): no (code -1)',
    ],
  ])("gives up on a refusal that names %j", async (supported, kind, message) => {
    const rig = await begin();
    const outcome = rig.shaken();
    await turn();
    rig.refuse(1, -1, "no", { supported });

    expect(await outcome).toEqual({ failed: { kind, message } });
    expect([rig.methods(), rig.agreed]).toEqual([["initialize"], []]);
  });

  it.each([["2026-07-28"], ["1.0"], [7], [undefined]])(
    "takes the version %j for none it speaks",
    async (protocolVersion) => {
      const rig = await begin();
      const outcome = rig.shaken();
      await turn();
      rig.answer(1, { ...greeting, protocolVersion });

      expect(await outcome).toMatchObject({
        failed: {
          kind: "version-mismatch",
          message: expect.stringContaining(`known: ${legacyRevisions.join(", ")}.`),
        },
      });
      expect(rig.agreed).toEqual([]);
    },
  );

  it("takes what is no object for an answer without a version", async () => {
    for (const result of [null, "text", 7]) {
      const rig = await begin();
      const outcome = rig.shaken();
      await turn();
      rig.answer(1, result);
      expect(await outcome).toMatchObject({ failed: { kind: "version-mismatch" } });
    }
  });

  it("keeps what is well-formed of the answer", async () => {
    const rig = await begin();
    const outcome = rig.shaken();
    await turn();
    rig.answer(1, { protocolVersion: "2025-11-25", instructions: 7, capabilities: "x" });

    expect(await outcome).toStrictEqual({
      protocolVersion: "2025-11-25",
      server: { name: "unknown", version: "unknown" },
      capabilities: {},
    });
  });

  it("ends with its time, its signal and its connection, and never cancels initialize on the wire", async () => {
    const late = await begin();
    const timedOut = late.shaken();
    late.clock.advance(5000);
    expect(await timedOut).toMatchObject({
      failed: { kind: "connect-timeout", message: expect.stringContaining("in time") },
    });
    const controller = new AbortController();
    const left = await begin({ signal: controller.signal });
    const aborted = left.shaken();
    controller.abort();
    expect(await aborted).toEqual({
      failed: { kind: "connect-timeout", message: 'server "s": the handshake was given up' },
    });
    const lost = await begin();
    const broken = lost.shaken();
    await turn();
    lost.server.close(crashed);
    expect(await broken).toEqual({ failed: crashed });
    const refused = await begin();
    refused.server.refuse(crashed);
    expect(await refused.shaken()).toEqual({ failed: crashed });

    for (const rig of [late, left]) expect(rig.methods()).toEqual(["initialize"]);
    for (const rig of [late, left, lost, refused])
      expect([rig.deadlines.size, rig.channel.pending]).toEqual([0, 0]);
  });
});

describe("the era of a server", () => {
  it("that is pinned to one is asked in that one alone", async () => {
    const legacy = await begin({ plan: "legacy" });
    const greeted = legacy.negotiated();
    await turn();
    legacy.refuse(1, -32_022, "no", { supported: ["2026-07-28"] });
    expect(await greeted).toMatchObject({ failed: { kind: "version-mismatch" } });
    expect(legacy.methods()).toEqual(["initialize"]);

    const modern = await begin({ plan: "modern", logLevel: "info" });
    const discovered = modern.negotiated();
    await turn();
    modern.answer(1, discovery);
    expect(await discovered).toEqual({ kind: "session", era: "modern", session: modernSession });
    expect([modern.methods(), modern.agreed, modern.channel.codec.modern]).toEqual([
      ["server/discover"],
      ["2026-07-28"],
      true,
    ]);
    expect(modern.channel.codec.request(1, "x", undefined, false)).toContain(
      '"io.modelcontextprotocol/logLevel":"info"',
    );
    expect(JSON.stringify(modern.got)).not.toContain("logLevel");
  });

  it("is asked again once in the revision that it names", async () => {
    const rig = await begin({ plan: "modern" });
    const outcome = rig.negotiated();
    for (const id of [1, 2]) {
      await turn();
      rig.refuse(id, -32_022, "no", { supported: ["2026-07-28"] });
    }

    expect(await outcome).toEqual({
      failed: {
        kind: "version-mismatch",
        message: 'server "s" names 2026-07-28 and refuses to be asked in it',
      },
    });
    expect(rig.methods()).toEqual(["server/discover", "server/discover"]);
  });

  it("that is not the pinned one is told with the way out", async () => {
    const rig = await begin({ plan: "modern" });
    const outcome = rig.negotiated();
    await turn();
    rig.refuse(1, -32_601);

    expect(await outcome).toMatchObject({
      failed: {
        kind: "version-mismatch",
        message: expect.stringMatching(/does not speak 2026-07-28; remove protocolVersion/),
      },
    });
  });

  it("that may be modern after a refused initialize is found by a probe; its refusal is what is told otherwise", async () => {
    const found = await begin();
    const outcome = found.negotiated();
    await turn();
    found.refuse(1, -32_601);
    await turn();
    found.answer(2, discovery);
    expect(await outcome).toMatchObject({ era: "modern" });

    const neither = await begin();
    const refused = neither.negotiated();
    await turn();
    neither.refuse(1, -5, "not today");
    await turn();
    neither.refuse(2, -32_601);
    expect(await refused).toMatchObject({
      failed: { kind: "handshake-error", message: expect.stringContaining("not today") },
    });
  });

  it.each([
    [{ kind: "http-error", message: "m", httpStatus: 400 }, 2],
    [{ kind: "http-error", message: "m", httpStatus: 499 }, 2],
    [{ kind: "http-error", message: "m", httpStatus: 500 }, 1],
    [{ kind: "http-error", message: "m", httpStatus: 399 }, 1],
    [{ kind: "http-error", message: "m" }, 1],
    [{ kind: "auth-required", message: "m", httpStatus: 401 }, 1],
  ] as const)("after initialize was lost by %j is asked in so many ways: %i", async (cause, asked) => {
    const rig = await begin();
    const outcome = rig.negotiated();
    await turn();
    rig.server.lose(1, { sent: "yes", cause });
    await turn();
    if (asked > 1) rig.refuse(2, -32_601);

    expect(await outcome).toEqual({ failed: cause });
    expect(rig.methods()).toHaveLength(asked);
  });

  it("is not probed for over a connection that is gone", async () => {
    const rig = await begin();
    const outcome = rig.negotiated();
    await turn();
    rig.server.send({ jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } });
    rig.server.close(crashed);

    expect(await outcome).toMatchObject({ failed: { kind: "handshake-error" } });
    expect(rig.methods()).toEqual(["initialize"]);
  });

  it("probed first is entered with one word, or greeted when the probe is refused", async () => {
    const modern = await begin({ plan: "probe-first" });
    const discovered = modern.negotiated();
    await turn();
    modern.answer(1, discovery);
    expect(await discovered).toMatchObject({ era: "modern" });
    expect([modern.methods(), modern.deadlines.size]).toEqual([["server/discover"], 0]);

    const legacy = await begin({ plan: "probe-first" });
    const greeted = legacy.negotiated();
    await turn();
    legacy.refuse(1, -32_601);
    await turn();
    legacy.answer(2, greeting);
    expect(await greeted).toEqual({ kind: "session", era: "legacy", session });
    expect(legacy.deadlines.size).toBe(0);
  });

  it("that is silent to the probe for the hedge time, and not less, is greeted as well; the first success counts", async () => {
    const rig = await begin({ plan: "probe-first" });
    const outcome = rig.negotiated();
    rig.clock.advance(999);
    await turn();
    expect(rig.methods()).toEqual(["server/discover"]);
    rig.clock.advance(1);
    await turn();
    expect(rig.methods()).toEqual(["server/discover", "initialize"]);
    rig.answer(2, greeting);

    expect(await outcome).toMatchObject({ era: "legacy" });
    await turn();
    expect([rig.deadlines.size, rig.channel.pending]).toEqual([0, 0]);
    rig.answer(1, discovery);
    await turn();
    expect([rig.agreed, rig.kinds()]).toEqual([["2025-11-25"], []]);
  });

  it("that was greeted after silence and refused is what the late probe says", async () => {
    const rig = await begin({ plan: "probe-first" });
    const outcome = rig.negotiated();
    rig.clock.advance(1000);
    await turn();
    rig.refuse(2, -32_601);
    await turn();
    rig.answer(1, discovery);
    expect(await outcome).toMatchObject({ era: "modern" });

    const neither = await begin({ plan: "probe-first" });
    const refused = neither.negotiated();
    neither.clock.advance(1000);
    await turn();
    neither.refuse(2, -7, "not today");
    neither.refuse(1, -32_601);
    expect(await refused).toMatchObject({ failed: { message: expect.stringContaining("not today") } });
  });

  it.each([
    [
      "a process that the probe has ended is a legacy server that must be started again",
      "stdio",
      { kind: "died", cause: crashed },
    ],
    ["an end elsewhere is a failure", "memory", { failed: crashed }],
  ] as const)("%s", async (_, kind, expected) => {
    const rig = await begin({ plan: "probe-first" }, { kind });
    const outcome = rig.negotiated();
    await turn();
    rig.server.close(crashed);

    expect(await outcome).toEqual(expected);
  });

  it("ends with the signal and the deadline of its caller", async () => {
    const controller = new AbortController();
    const left = await begin({ plan: "probe-first", signal: controller.signal });
    const aborted = left.negotiated();
    await turn();
    controller.abort();
    expect(await aborted).toMatchObject({ failed: { kind: "connect-timeout" } });

    const late = await begin({ plan: "modern" });
    const timedOut = late.negotiated();
    late.clock.advance(5000);
    expect(await timedOut).toMatchObject({
      failed: { kind: "connect-timeout", message: expect.stringContaining("server/discover in time") },
    });
    const refused = await begin({ plan: "modern" });
    refused.server.refuse(crashed);
    expect(await refused.negotiated()).toEqual({ failed: crashed });
    for (const rig of [left, late, refused])
      expect([rig.deadlines.size, rig.channel.pending]).toEqual([0, 0]);
  });
});
