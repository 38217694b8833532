import { expect } from "vitest";
import { createSupervisor } from "../../../src/index.js";
import type { FakeFault, FakeScript } from "../../../src/testing/index.js";
import { eventually, running, scripted } from "../../support.js";
import { expectReached, failureOf, withFake } from "../fixture.js";
import type { Fixture } from "../fixture.js";
import type { Elsewhere, Row } from "../matrix.js";

/** A server whose first call meets this fault. */
async function atFirstCall(fault: FakeFault, script: Partial<FakeScript> = {}): Promise<Fixture> {
  return withFake({ over: "stdio", ...script, faults: [{ times: 1, ...fault }] });
}

/** The first call fails in this way, the next one works. */
async function failsOnce(fault: FakeFault, kind: string, timeout: number): Promise<Fixture> {
  const fixture = await atFirstCall(fault);
  const first = await fixture.call({ text: "first" }, timeout);
  expectReached(fixture, fault.fault);
  expect(failureOf(first)).toBe(kind);
  expect(await fixture.call({ text: "next" })).toMatchObject({ ok: true, text: "next" });
  return fixture;
}

const elsewhere = (file: string, ...tests: string[]): readonly Elsewhere[] =>
  tests.map((test) => ({ file, test }));

export const callRows: readonly Row[] = [
  {
    row: 33,
    fault: "a call is never answered",
    outcome: "timeout, the server is told",
    async run() {
      const fixture = await failsOnce({ fault: "hang" }, "timeout", 300);
      expect(fixture.fake.received.map(({ method }) => method)).toContain("notifications/cancelled");
    },
  },
  {
    row: 34,
    fault: "an answer after the deadline",
    outcome: "dropped, and given to no other call",
    run: async () => {
      const fixture = await atFirstCall({ fault: "late-answer", ms: 500 });
      expect(failureOf(await fixture.call({ text: "late" }, 200))).toBe("timeout");
      const next = [1, 2, 3, 4].map((at) => fixture.call({ text: `next ${at}` }));
      await new Promise((rest) => setTimeout(rest, 600));
      expect((await Promise.all(next)).map(({ text }) => text)).toEqual([
        "next 1",
        "next 2",
        "next 3",
        "next 4",
      ]);
      expectReached(fixture, "late-answer");
    },
  },
  {
    row: 35,
    fault: "two answers",
    outcome: "the first counts",
    async run() {
      const fixture = await atFirstCall({ fault: "duplicate-answer" });
      expect(await fixture.call({ text: "a" })).toMatchObject({ ok: true, text: "a" });
      expect(await fixture.call({ text: "b" })).toMatchObject({ ok: true, text: "b" });
      expectReached(fixture, "duplicate-answer");
    },
  },
  {
    row: 36,
    fault: "an answer with an unknown id",
    outcome: "told once, the call runs into its deadline",
    async run() {
      const fixture = await failsOnce({ fault: "wrong-id" }, "timeout", 300);
      expect(fixture.status().warnings.join()).toContain("987654");
    },
  },
  {
    row: 37,
    fault: "the id comes back as text",
    outcome: "taken, and told once",
    async run() {
      const fixture = await atFirstCall({ fault: "string-id" });
      expect(await fixture.call({ text: "a" })).toMatchObject({ ok: true, text: "a" });
      expect(fixture.status().warnings).not.toEqual([]);
    },
  },
  {
    row: 38,
    fault: "a crash with 64 calls in flight",
    outcome: "64 failures that say that the outcome is unknown",
    async run() {
      const fixture = await withFake({
        over: "stdio",
        faults: [{ fault: "hang" }],
        config: { limits: { inFlight: 64 } },
      });
      const open = Array.from({ length: 64 }, () => fixture.call({}, 60_000));
      await eventually(() => fixture.fake.reached.get("hang") === 64, "64 calls");
      fixture.fake.crash(3);
      expect(new Set((await Promise.all(open)).map(failureOf))).toEqual(new Set(["outcome-unknown"]));
    },
  },
  {
    row: 39,
    fault: "a crash while a helper holds stdout",
    outcome: "the same",
    elsewhere: elsewhere(
      "test/faults/leaks.test.ts",
      "settles open calls at once although a helper still holds stdout",
    ),
  },
  {
    row: 40,
    fault: "progress without end",
    outcome: "the total limit holds",
    async run() {
      const fixture = await atFirstCall({ fault: "endless-progress", ms: 50 });
      const result = await fixture.call({}, 200);
      expectReached(fixture, "endless-progress");
      expect(failureOf(result)).toBe("timeout");
      expect(result.call.durationMs).toBeGreaterThan(1_500);
    },
  },
  {
    row: 41,
    fault: "progress after the end",
    outcome: "ignored",
    async run() {
      const fixture = await withFake({});
      await fixture.call();
      fixture.fake.send({ method: "notifications/progress", params: { progressToken: 3, progress: 1 } });
      expect(await fixture.call({ text: "a" })).toMatchObject({ ok: true, text: "a" });
    },
  },
  {
    row: 42,
    fault: "100 MB without a line end",
    outcome: "bounded memory; past 80 MiB and 16 times the limit the server is ended and its calls settle",
    async run() {
      const fixture = await withFake({
        over: "stdio",
        faults: [{ fault: "endless-line", bytes: 1e8, times: 1 }],
        config: { limits: { messageBytes: 2_000_000 } },
      });
      const result = await fixture.call({}, 60_000);
      expectReached(fixture, "endless-line");
      expect(failureOf(result)).toBe("outcome-unknown");
      expect(await fixture.call({ text: "again" })).toMatchObject({ ok: true, text: "again" });
    },
    elsewhere: elsewhere("test/faults/leaks.test.ts", "of 100 MB costs little memory"),
  },
  {
    row: 43,
    fault: "one byte at a time",
    outcome: "the right result",
    async run() {
      const fixture = await atFirstCall(
        { fault: "byte-at-a-time" },
        { config: { limits: { resultChars: 100_000 } } },
      );
      const result = await fixture.call({ text: "x".repeat(50_000) });
      expectReached(fixture, "byte-at-a-time");
      expect(result).toMatchObject({ ok: true, text: "x".repeat(50_000) });
    },
    elsewhere: elsewhere(
      "test/protocol/lines.test.ts",
      "takes a large line of single bytes in linear time and memory",
    ),
  },
  {
    row: 44,
    fault: "characters cut in pieces",
    outcome: "whole again",
    async run() {
      const fixture = await atFirstCall({ fault: "byte-at-a-time" });
      expect(await fixture.call({ text: "žluťoučký 🐎 \u{1F468}\u200D\u{1F469}" })).toMatchObject({
        text: "žluťoučký 🐎 \u{1F468}\u200D\u{1F469}",
      });
      expectReached(fixture, "byte-at-a-time");
    },
  },
  {
    row: 45,
    fault: "an answer nested 10,000 deep",
    outcome: "only that message is lost",
    run: () =>
      answersRaw(
        `{"jsonrpc":"2.0","id":{id},"result":${"[".repeat(10_000)}${"]".repeat(10_000)}}\n`,
        "invalid",
      ),
  },
  {
    row: 46,
    fault: "keys named __proto__",
    outcome: "inert",
    async run() {
      await answersRaw(
        '{"jsonrpc":"2.0","id":{id},"result":{"__proto__":{"polluted":1},"content":[{"type":"text","text":"t","__proto__":{"polluted":1}}]}}\n',
        "ok",
      );
      expect("polluted" in {}).toBe(false);
    },
  },
  {
    row: 47,
    fault: "NUL, byte order marks, CR and U+2028",
    outcome: "only line feeds split",
    run: () =>
      answersRaw(
        '{"jsonrpc":"2.0","id":{id},\r"result":{"content":[{"type":"text","text":"a\u2028b\\u0000"}]}}\r\n',
        "ok",
      ),
    elsewhere: elsewhere("test/protocol/lines.test.ts", "drops a byte order mark at the very start only"),
  },
  {
    row: 48,
    fault: "bytes that are no UTF-8",
    outcome: "replaced, nothing else is lost",
    elsewhere: elsewhere(
      "test/protocol/lines.test.ts",
      "splits at line feeds only and replaces what is no UTF-8",
    ),
  },
  {
    row: 49,
    fault: "it stops reading",
    outcome: "what waits is bounded, then refused",
    elsewhere: elsewhere(
      "test/cases/stdio.test.ts",
      "C020 bounds what waits for a server that reads nothing",
    ),
  },
  {
    row: 50,
    fault: "it closes its stdin and lives",
    outcome: "the connection is over, the next call begins another life",
    elsewhere: elsewhere(
      "test/transport/stdio.test.ts",
      "ends the connection when the server has closed its stdin but lives",
    ),
  },
  {
    row: 51,
    fault: "it closes its stdout and lives",
    outcome: "the calls fail, the tree is dead, the next call begins another life",
    async run() {
      const fixture = await failsOnce({ fault: "close-stdout" }, "outcome-unknown", 20_000);
      expect(fixture.status()).toMatchObject({ generation: 2, lastError: { kind: "stdout-closed" } });
      await eventually(() => fixture.fake.lives === 1, "one process");
    },
  },
  {
    row: 52,
    fault: "100 MB on stderr",
    outcome: "read and dropped while calls go on",
    elsewhere: elsewhere("test/faults/leaks.test.ts", "on stderr is read and thrown away, while calls go on"),
  },
  {
    row: 53,
    fault: "SIGSTOP, later SIGCONT",
    outcome: "timeouts, then it serves again in the same life",
    async run() {
      const supervisor = await running([scripted("x", "scripted.mjs")]);
      const [pid] = supervisor.servers()[0]!.pids;
      process.kill(pid!, "SIGSTOP");
      expect(failureOf(await supervisor.callTool("mcp_x_echo", {}, { timeout: 300 }))).toBe("timeout");
      process.kill(pid!, "SIGCONT");
      expect(await supervisor.callTool("mcp_x_pid", {})).toMatchObject({ ok: true, text: String(pid) });
    },
  },
  {
    row: 54,
    fault: "a timeout longer than a timer can hold",
    outcome: "refused, not fired at once",
    async run() {
      const supervisor = createSupervisor({ servers: [{ id: "x", command: "sh", timeout: "2147483648ms" }] });
      expect(supervisor.problems()).toMatchObject([{ severity: "error", path: "servers.0.timeout" }]);
      const fixture = await withFake({});
      expect(failureOf(await fixture.call({}, 2 ** 31))).toBe("invalid-arguments");
    },
  },
];

/** The first call is answered with this line; the next one is answered as ever. */
async function answersRaw(text: string, outcome: "ok" | "invalid"): Promise<void> {
  const fixture = await atFirstCall({ fault: "raw", text });
  const result = await fixture.call({}, 5_000);
  expectReached(fixture, "raw");
  expect(result.ok).toBe(outcome === "ok");
  expect(await fixture.call({ text: "next" })).toMatchObject({ ok: true, text: "next" });
}
