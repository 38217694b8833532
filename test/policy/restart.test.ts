import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CauseKind } from "../../src/errors.js";
import { backoff, clampDelay } from "../../src/policy/backoff.js";
import { causeTable } from "../../src/policy/causes.js";
import { isStable, noHistory, restart } from "../../src/policy/restart.js";
import type { LifeEnd, RestartHistory } from "../../src/policy/restart.js";

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const historyOf = (more: Partial<RestartHistory>): RestartHistory => ({ ...noHistory, ...more });

/** A life of 11 s, ready after one. */
const served = (kind: CauseKind, at: number): LifeEnd =>
  end(kind, at, { beganAt: at - 11_000, readyAt: at - 10_000, provenAt: at - 9_000 });

const end = (kind: CauseKind, at: number, more: Partial<LifeEnd> = {}): LifeEnd => ({
  at,
  beganAt: at,
  remote: false,
  cause: { kind, message: kind },
  ...more,
});

describe("the back-off", () => {
  it.each([
    [1, 0, 0, 375],
    [1, 0.5, 0, 437],
    [1, 0.999, 0, 499],
    [2, 0.5, 0, 875],
    [5, 0, 0, 6_000],
    [7, 0, 0, 22_500],
    [40, 0.999, 0, 29_992],
    [1_000_000, 0.5, 0, 26_250],
    [2, 0, 900, 900],
    [3, 0.1, 30_000, 30_000],
    [0, 0.5, 0, 437],
  ])("waits for try %i with chance %f after %i ms: %i ms", (attempt, random, previousMs, waitMs) => {
    expect(backoff(attempt, random, previousMs)).toBe(waitMs);
  });

  it("stays between floor and cap, and never shrinks", () => {
    fc.assert(
      fc.property(fc.integer(), chance, fc.integer({ min: 0, max: 30_000 }), (attempt, random, previous) => {
        const waitMs = backoff(attempt, random, previous);

        expect(waitMs).toBeGreaterThanOrEqual(Math.max(100, previous));
        expect(waitMs).toBeLessThanOrEqual(30_000);
      }),
    );
  });

  it.each([
    [Number.POSITIVE_INFINITY, 2_147_483_647],
    [2 ** 31, 2_147_483_647],
    [Number.NaN, 2_147_483_647],
    [-1, 0],
    [5, 5],
  ])("makes %f a delay that a timer can hold: %i", (delayMs, expected) => {
    expect(clampDelay(delayMs)).toBe(expected);
  });
});

describe("a life that has served", () => {
  it("is followed at once; the next one within a minute after a short wait", () => {
    const first = restart(noHistory, served("crashed", 20_000), 0);
    expect(first).toMatchObject({ kind: "again", delayMs: 0, history: { failures: 0, count: 1 } });

    const second = restart(first.history, served("crashed", 40_000), 0);
    expect(second).toMatchObject({ kind: "again", delayMs: 375, history: { failures: 0, count: 2 } });

    const later = restart(second.history, served("crashed", 100_000), 0);
    expect(later).toMatchObject({ kind: "again", delayMs: 0 });
  });

  it("never leads to giving up, however often it ends, and takes back what failed before", () => {
    let history = historyOf({ failures: 4 });
    for (let at = 20_000; at < 4_000_000; at += 10_500) {
      const verdict = restart(history, served("killed", at), 0.5);
      expect(verdict).toMatchObject({ kind: "again", history: { failures: 0 } });
      expect(verdict.kind === "again" && verdict.delayMs).toBeLessThanOrEqual(500);
      history = verdict.history;
    }
  });

  it("was ready for 10 s, not less, with a proven session", () => {
    const life = { beganAt: 9_000, readyAt: 10_000, provenAt: 10_001 };
    expect(restart(noHistory, end("crashed", 20_000, life), 0).history.failures).toBe(0);
    expect(restart(noHistory, end("crashed", 19_999, life), 0)).toEqual({
      kind: "again",
      delayMs: 375,
      history: { ends: [19_999], failures: 1, count: 1, lastDelayMs: 375 },
    });
    const unproven = end("crashed", 20_000, { beganAt: 9_000, readyAt: 10_000 });
    expect(restart(noHistory, unproven, 0)).toMatchObject({ delayMs: 0, history: { failures: 1 } });
  });
});

describe("tries that fail", () => {
  it.each(["crashed", "connect-timeout", "list-failed", "stdout-closed", "unhealthy"] as const)(
    "give up after five in a row where the fault does not pass by itself (%s)",
    (kind) => {
      const four = historyOf({ failures: 4, ends: [4_000] });

      expect(restart(four, end(kind, 5_000), 0.5).kind).toBe("gave-up");
      expect(restart(historyOf({ failures: 3, ends: [4_000] }), end(kind, 5_000), 0.5).kind).toBe("again");
    },
  );

  it("count slow tries, too: five of 45 s each are five, whatever the time between", () => {
    let at = 0;
    let history = noHistory;
    const verdicts: string[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      const beganAt = at;
      at += 45_000;
      const verdict = restart(history, end("exited-before-ready", at, { beganAt }), 0.999);
      verdicts.push(verdict.kind);
      history = verdict.history;
      if (verdict.kind === "again") at += verdict.delayMs;
    }

    expect(verdicts).toEqual(["again", "again", "again", "again", "gave-up"]);
  });

  it.each([
    ["refused", true],
    ["dns", true],
    ["reset", true],
    ["server-error", true],
    ["rate-limited", true],
    ["connect-timeout", true],
    ["unhealthy", true],
    ["exited-before-ready", false],
    ["spawn-exhausted", false],
  ] as const)("go on for as long as the outage lasts: %s", (kind, remote) => {
    let at = 0;
    let history = noHistory;
    const waits: number[] = [];
    while (at < 36_000_000) {
      const beganAt = at;
      at += 300;
      const verdict = restart(history, end(kind, at, { beganAt, remote }), 0.5);
      if (verdict.kind !== "again") throw new Error(`${kind} after ${at} ms`);
      waits.push(verdict.delayMs);
      history = verdict.history;
      at += verdict.delayMs;
    }

    // Reachable again after an outage of t, the next try is at most as far away as it has lasted, and never over 30 s.
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.slice(0, 4).every((wait) => wait < 4_000)).toBe(true);
    expect(waits.at(-1)).toBeLessThanOrEqual(30_000);
    expect(waits.at(-1)).toBeGreaterThan(20_000);
  });

  it("tells a process that ends in its first seconds from one that needs longer", () => {
    const four = historyOf({ failures: 4, ends: [1_000] });
    const after = (ms: number) =>
      restart(four, end("exited-before-ready", 2_000 + ms, { beganAt: 2_000 }), 0.5).kind;

    expect(after(9_999)).toBe("again");
    expect(after(10_000)).toBe("gave-up");
  });

  it("begin a new row after a quiet time of more than 15 min, or a life of a minute", () => {
    const four = historyOf({ failures: 4, ends: [1_000] });
    const at = 1_000 + 900_000;

    expect(restart(four, end("crashed", at + 1, { beganAt: at }), 0.5).kind).toBe("gave-up");
    expect(restart(four, end("crashed", at + 2, { beganAt: at + 1 }), 0.5).history.failures).toBe(1);
    const long = { beganAt: 2_000, readyAt: 3_000 };
    expect(restart(four, end("crashed", 62_999, long), 0.5).kind).toBe("gave-up");
    expect(restart(four, end("crashed", 63_000, long), 0.5).history.failures).toBe(1);
  });

  it("are forgotten after a life that was ready for 60 s with a proven session", () => {
    const four = historyOf({ failures: 4, ends: [1, 2, 3, 4], count: 4, lastDelayMs: 2_000 });
    const proven = end("crashed", 70_000, { readyAt: 10_000, provenAt: 11_000 });

    expect(restart(four, proven, 0.5)).toEqual({
      kind: "again",
      delayMs: 0,
      history: { ends: [70_000], failures: 0, count: 1, lastDelayMs: 0 },
    });
    expect(isStable({ readyAt: 10_000, provenAt: 69_999 }, 69_999)).toBe(false);
  });

  it("do not include an end that somebody asked for", () => {
    const four = historyOf({ failures: 4, ends: [1, 2, 3, 4], count: 4 });

    expect(restart(four, end("idle", 5), 0.5)).toEqual({ kind: "again", delayMs: 0, history: four });
  });

  it("include a clean exit only when it comes soon", () => {
    expect(restart(noHistory, end("clean-exit", 5_000, { readyAt: 4_700 }), 0.5).history.count).toBe(1);
    expect(restart(noHistory, end("clean-exit", 50_000, { readyAt: 4_700 }), 0.5).history.count).toBe(0);
  });

  it("wait as long as the server asked for", () => {
    const cause = { kind: "rate-limited", message: "429", retryAfterMs: 7_000 } as const;
    expect(restart(noHistory, { ...end("rate-limited", 100_000), cause }, 0.5)).toMatchObject({
      kind: "again",
      delayMs: 7_000,
    });
  });

  it("never wait longer than a timer can hold", () => {
    const cause = { kind: "rate-limited", message: "429", retryAfterMs: 2 ** 40 } as const;

    expect(restart(noHistory, { ...end("rate-limited", 1), cause }, 0.5)).toMatchObject({
      delayMs: 2_147_483_647,
    });
  });

  it("are at most 8 in any 60 s, whatever the chance, the kind and the time they take", () => {
    const kinds = fc.constantFrom<CauseKind>(
      "crashed",
      "refused",
      "exited-before-ready",
      "clean-exit",
      "killed",
    );
    const life = fc.record({ kind: kinds, random: chance, upMs: fc.nat(14_000), proven: fc.boolean() });
    fc.assert(
      fc.property(fc.array(life, { minLength: 30, maxLength: 60 }), (lives) => {
        let now = 0;
        let history = noHistory;
        const starts: number[] = [];
        for (const { kind, random, upMs, proven } of lives) {
          starts.push(now);
          const at = now + upMs;
          const more = { beganAt: now, readyAt: now, ...(proven && { provenAt: now }) };
          const verdict = restart(history, end(kind, at, more), random);
          if (verdict.kind !== "again") break;
          history = verdict.history;
          now = at + verdict.delayMs;
        }
        for (const from of starts)
          expect(starts.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it("do not grow by an end that does not count, nor is it given up over", () => {
    const quiet = end("clean-exit", 100_000, { readyAt: 50_000 });
    const verdict = restart(historyOf({ failures: 6 }), quiet, 0.5);

    expect(causeTable["clean-exit"].counts).toBe("early");
    expect(verdict).toMatchObject({ kind: "again", delayMs: 0, history: { failures: 6, count: 0 } });
  });

  it("wait after a life that was ready and unproven, unless it is the first of its row", () => {
    const unproven = end("crashed", 100_000, { beganAt: 80_000, readyAt: 85_000 });

    expect(restart(noHistory, unproven, 0.5)).toMatchObject({ delayMs: 0, history: { failures: 1 } });
    expect(restart(historyOf({ failures: 3, ends: [30_000] }), unproven, 0.5)).toMatchObject({
      delayMs: 3_500,
      history: { failures: 4 },
    });
    expect(restart(historyOf({ failures: 3, lastDelayMs: 8_000 }), unproven, 0.5)).toMatchObject({
      delayMs: 0,
      history: { failures: 1 },
    });
  });

  it("do not lengthen the wait after a life that has served", () => {
    const before = historyOf({ failures: 4, ends: [80_000], lastDelayMs: 20_000 });

    expect(restart(before, served("crashed", 100_000), 0.5)).toMatchObject({
      delayMs: 437,
      history: { failures: 0, lastDelayMs: 437 },
    });
  });

  it.each([
    [{ readyAt: 0, provenAt: 1 }, 60_000, true],
    [{ readyAt: 0, provenAt: 1 }, 59_999, false],
    [{ readyAt: 0 }, 600_000, false],
    [{ provenAt: 1 }, 600_000, false],
    [{}, 600_000, false],
  ])("are forgotten for a life %j at %i: %s", (life, now, isIt) => {
    expect(isStable(life as never, now)).toBe(isIt);
  });

  it("are not caught by a clock that was set back", () => {
    const future = historyOf({ ends: [9e12, 9e12, 9e12, 9e12], failures: 2, count: 4 });
    const now = restart(future, end("refused", 1_000), 0.5);

    expect(now.history.ends).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  });
});

describe("the cause table", () => {
  const permanent = Object.entries(causeTable).flatMap(([kind, row]) => (row.permanent ? [kind] : []));

  it("parks at once what no retry can mend, and nothing else", () => {
    expect(permanent).toEqual([
      "command-not-found",
      "command-not-executable",
      "cwd-missing",
      "spawn-invalid",
      "handshake-error",
      "version-mismatch",
      "not-mcp",
      "auth-required",
      "forbidden",
      "http-error",
      "redirected",
      "tls",
      "needs-authorization",
      "authorization-refused",
      "credentials-locked",
      "insufficient-scope",
      "config-invalid",
      "approval-needed",
      "disabled",
      "network-off",
      "gave-up",
    ]);
    for (const kind of permanent) {
      expect(restart(noHistory, end(kind as CauseKind, 1), 0.5).kind).toBe("permanent");
    }
  });

  it("hides the tools only of what is switched off, held back or gone", () => {
    const hidden = Object.entries(causeTable).flatMap(([kind, row]) => (row.keepTools ? [] : [kind]));

    expect(hidden).toEqual([
      "config-invalid",
      "approval-needed",
      "disabled",
      "network-off",
      "removed",
      "stopping",
    ]);
  });

  it("has a row for each cause that the code can name", () => {
    const source = readFileSync(new URL("../../src/causes.ts", import.meta.url), "utf8");
    const union = /export type CauseKind =([\s\S]*?);\n\n/.exec(source)?.[1] ?? "";
    const kinds = [...union.matchAll(/\| "([a-z-]+)"/g)].map((match) => match[1]);

    expect(kinds.length).toBeGreaterThan(50);
    expect(new Set(Object.keys(causeTable))).toEqual(new Set(kinds));
  });
});
