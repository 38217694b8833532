import { expect } from "vitest";
import type { FakeFault } from "../../../src/testing/index.js";
import { expectReached, withFake } from "../fixture.js";
import type { Fixture } from "../fixture.js";
import type { Row } from "../matrix.js";

const short = { restart: "never", connectTimeout: "1500ms" } as const;

/** A server whose answer to `initialize` goes wrong in this way. */
async function atInitialize(fault: FakeFault): Promise<Fixture> {
  const fixture = await withFake({ over: "stdio", config: short, faults: [{ on: "initialize", ...fault }] });
  expectReached(fixture, fault.fault);
  return fixture;
}

function failsWith(fault: FakeFault, kind: string): () => Promise<void> {
  return async () => {
    const fixture = await atInitialize(fault);
    expect(fixture.status()).toMatchObject({ state: "parked", pids: [], lastError: { kind } });
    expect(fixture.fake.lives).toBe(0);
  };
}

export const handshakeRows: readonly Row[] = [
  {
    row: 14,
    fault: "initialize is never answered",
    outcome: "connect-timeout, the tree is dead",
    run: failsWith({ fault: "hang" }, "connect-timeout"),
  },
  {
    row: 15,
    fault: "initialize is answered with another id",
    outcome: "ignored and told, then connect-timeout",
    async run() {
      const fixture = await atInitialize({ fault: "wrong-id" });
      expect(fixture.status().lastError?.kind).toBe("connect-timeout");
      expect(fixture.status().warnings.join()).toContain("987654");
    },
  },
  {
    row: 16,
    fault: "initialize is answered with a JSON-RPC error",
    outcome: "handshake-error, parked, no loop",
    run: failsWith({ fault: "error", code: -32602, text: "no" }, "handshake-error"),
  },
  {
    row: 17,
    fault: "a revision that nobody knows",
    outcome: "version-mismatch, parked, no loop",
    run: failsWith({ fault: "bad-version" }, "version-mismatch"),
  },
  {
    row: 18,
    fault: "half a line, then silence",
    outcome: "connect-timeout",
    run: failsWith({ fault: "half-line" }, "connect-timeout"),
  },
  {
    row: 19,
    fault: "it dies in the middle of its answer",
    outcome: "exited-before-ready with the exit code",
    async run() {
      const fixture = await atInitialize({ fault: "crash-mid", code: 9 });
      expect(fixture.status().lastError).toMatchObject({ kind: "exited-before-ready", exitCode: 9 });
    },
  },
  {
    row: 20,
    fault: "two answers to initialize",
    outcome: "the second is dropped",
    async run() {
      const fixture = await atInitialize({ fault: "duplicate-answer" });
      expect(fixture.status().state).toBe("ready");
      expect(await fixture.call({ text: "a" })).toMatchObject({ ok: true, text: "a" });
    },
  },
  {
    row: 21,
    fault: "servers of both eras",
    outcome: "both work",
    elsewhere: [
      { file: "test/obligations/modernStdio.test.ts", test: "is listened to, and its changes show" },
      { file: "test/cases/handshake.test.ts", test: "C046 works with an old version and shows it" },
    ],
  },
  {
    row: 22,
    fault: "the server asks us before it is ready",
    outcome: "pings are answered, the rest is refused, nothing locks up",
    async run() {
      const fixture = await atInitialize({ fault: "request-first" });
      expect(fixture.status().state).toBe("ready");
      expect(fixture.fake.answers).toEqual([
        { jsonrpc: "2.0", id: "fake-1", result: {} },
        expect.objectContaining({ id: "fake-2" }),
      ]);
    },
  },
];
