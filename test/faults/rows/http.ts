import { expect } from "vitest";
import type { FakeFault } from "../../../src/testing/index.js";
import { expectReached, failureOf, withFake } from "../fixture.js";
import type { Fixture } from "../fixture.js";
import type { Elsewhere, Row } from "../matrix.js";

/** A server on HTTP whose first call meets this fault. */
async function atFirstCall(fault: FakeFault): Promise<Fixture> {
  return withFake({ over: "http", faults: [{ times: 1, ...fault }] });
}

const elsewhere = (file: string, ...tests: string[]): readonly Elsewhere[] =>
  tests.map((test) => ({ file, test }));
const answers = "test/transport/httpAnswers.test.ts";

export const httpRows: readonly Row[] = [
  {
    row: 64,
    fault: "no such host, refused, unanswered",
    outcome: "known as not sent, each with its own kind",
    elsewhere: elsewhere(
      answers,
      "knows that nothing was sent when the connection is refused",
      "knows that nothing was sent when the host has no address",
    ),
  },
  {
    row: 65,
    fault: "certificates that are wrong",
    outcome: "no retry, no plain HTTP",
    elsewhere: elsewhere(
      answers,
      "knows that nothing was sent when TLS fails, and does not go down to plain HTTP",
    ),
  },
  {
    row: 66,
    fault: "redirects",
    outcome: "never to another origin, at most three",
    async run() {
      const fixture = await atFirstCall({ fault: "redirect", text: "http://127.0.0.1:9/elsewhere" });
      const result = await fixture.call();
      expectReached(fixture, "redirect");
      expect(failureOf(result)).toBe("unavailable");
      expect(result.text).toContain("127.0.0.1:9");
    },
    elsewhere: elsewhere(answers, "row 38: follows at most three in a row"),
  },
  {
    row: 67,
    fault: "every kind of HTTP status",
    outcome: "each as the cause table says, and the next call works where it can",
    async run() {
      for (const code of [401, 403, 409, 429, 500, 503]) {
        const headers = code === 429 ? { "retry-after": "7" } : {};
        const fixture = await atFirstCall({ fault: "http-status", code, headers });
        const result = await fixture.call();
        expectReached(fixture, "http-status");
        expect(result, `status ${code}`).toMatchObject({ ok: false, failure: { code } });
        if (code === 429) expect(result).toMatchObject({ failure: { retryAfterMs: 7000 } });
        await fixture.supervisor.stop();
      }
    },
    elsewhere: elsewhere(
      "test/cases/http.test.ts",
      "C072 makes one new session for all that the old one refuses",
    ),
  },
  {
    row: 68,
    fault: "a body that trickles",
    outcome: "the deadline of the call holds, the next one works",
    async run() {
      const fixture = await atFirstCall({ fault: "slow-body", ms: 200 });
      expect(failureOf(await fixture.call({}, 700))).toBe("timeout");
      expectReached(fixture, "slow-body");
      expect(await fixture.call({ text: "next" })).toMatchObject({ ok: true, text: "next" });
    },
    elsewhere: elsewhere(
      "test/transport/httpStreams.test.ts",
      "row 7: leaves a silent stream open, and calls go on beside it",
    ),
  },
  {
    row: 69,
    fault: "a gzip bomb of 512 MiB, endless bodies, pages instead of JSON",
    outcome: "cut at the limit, with bounded memory",
    async run() {
      const fixture = await atFirstCall({ fault: "gzip-bomb" });
      const before = process.memoryUsage().rss;
      let peak = before;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      const result = await fixture.call();
      clearInterval(sampling);
      expectReached(fixture, "gzip-bomb");
      expect(result.ok).toBe(false);
      // The bomb is made in this very process, too.
      expect((peak - before) / 1e6).toBeLessThan(150);
      expect(await fixture.call({ text: "next" })).toMatchObject({ ok: true, text: "next" });
    },
    elsewhere: elsewhere(answers, "stops a body that never ends at the limit"),
  },
  {
    row: 70,
    fault: "streams that are cut, huge, or without blank lines",
    outcome: "bounded; the call settles",
    async run() {
      const fixture = await atFirstCall({ fault: "sse-cut" });
      expect(failureOf(await fixture.call())).toBe("outcome-unknown");
      expectReached(fixture, "sse-cut");
      expect(await fixture.call({ text: "next" })).toMatchObject({ ok: true, text: "next" });
    },
    elsewhere: elsewhere(
      "test/protocol/sse.test.ts",
      "goes on behind an event far over the limit, in pieces of any size",
      "marks an event that lacks its blank line at the end of the stream",
    ),
  },
];
