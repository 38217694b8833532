import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CauseKind } from "../../src/errors.js";
import { backoff, clampDelay } from "../../src/policy/backoff.js";
import { causeTable } from "../../src/policy/causes.js";
import { isStable, noHistory, restart } from "../../src/policy/restart.js";
import type { LifeEnd, RestartHistory } from "../../src/policy/restart.js";

const end = (kind: CauseKind, at: number, more: Partial<LifeEnd> = {}): LifeEnd => ({
  at,
  cause: { kind, message: kind },
  ...more,
});

describe("the back-off", () => {
  it.each([
    [1, 0, 0, 100],
    [1, 0.5, 0, 125],
    [1, 0.999, 0, 249],
    [2, 0.5, 0, 250],
    [5, 0.5, 0, 2_000],
    [40, 0.999, 0, 29_970],
    [1_000_000, 0.5, 0, 15_000],
    [2, 0, 240, 240],
    [3, 0.1, 30_000, 30_000],
    [0, 0.5, 0, 125],
  ])("waits for try %i with chance %f after %i ms: %i ms", (attempt, random, previousMs, waitMs) => {
    expect(backoff(attempt, random, previousMs)).toBe(waitMs);
  });

  it("stays between floor and cap, and never shrinks", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
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

describe("the restart budget", () => {
  it("lets a life that was ready for 10 s be followed at once, the first time", () => {
    const first = restart(noHistory, end("crashed", 20_000, { readyAt: 10_000 }), 0.5);
    expect(first).toMatchObject({ kind: "again", delayMs: 0 });

    const second = restart(first.history, end("crashed", 40_000, { readyAt: 30_000 }), 0.5);
    expect(second).toMatchObject({ kind: "again", delayMs: 250 });
  });

  it("waits after a life that was ready for less", () => {
    const verdict = restart(noHistory, end("crashed", 19_999, { readyAt: 10_000 }), 0.5);

    expect(verdict).toEqual({
      kind: "again",
      delayMs: 125,
      history: { ends: [19_999], count: 1, lastDelayMs: 125 },
    });
  });

  it("gives up after five abnormal ends within three minutes, not after five within more", () => {
    const four: RestartHistory = { ends: [1_000, 2_000, 3_000, 4_000], count: 4, lastDelayMs: 2_000 };

    expect(restart(four, end("crashed", 180_999), 0.5).kind).toBe("gave-up");
    expect(restart(four, end("crashed", 181_000), 0.5)).toMatchObject({
      kind: "again",
      history: { ends: [2_000, 3_000, 4_000, 181_000], count: 5 },
    });
  });

  it("forgets what was before a life that was ready for 60 s with a proven session", () => {
    const four: RestartHistory = { ends: [1, 2, 3, 4], count: 4, lastDelayMs: 2_000 };
    const proven = end("crashed", 70_000, { readyAt: 10_000, provenAt: 11_000 });

    expect(restart(four, proven, 0.5)).toEqual({
      kind: "again",
      delayMs: 0,
      history: { ends: [70_000], count: 1, lastDelayMs: 0 },
    });
    expect(restart(four, end("crashed", 70_000, { readyAt: 10_000 }), 0.5).kind).toBe("gave-up");
    expect(isStable({ readyAt: 10_000, provenAt: 69_999 }, 69_999)).toBe(false);
  });

  it("does not count an end that somebody asked for", () => {
    const four: RestartHistory = { ends: [1, 2, 3, 4], count: 4, lastDelayMs: 2_000 };

    expect(restart(four, end("idle", 5), 0.5)).toEqual({ kind: "again", delayMs: 0, history: four });
  });

  it("counts a clean exit only when it comes soon", () => {
    expect(restart(noHistory, end("clean-exit", 5_000, { readyAt: 4_700 }), 0.5).history.count).toBe(1);
    expect(restart(noHistory, end("clean-exit", 50_000, { readyAt: 4_700 }), 0.5).history.count).toBe(0);
  });

  it("waits as long as the server asked for", () => {
    const limited: LifeEnd = {
      at: 100_000,
      readyAt: 1,
      cause: { kind: "rate-limited", message: "429", retryAfterMs: 7_000 },
    };
    expect(restart(noHistory, limited, 0.5)).toMatchObject({ kind: "again", delayMs: 7_000 });
  });

  it("never waits longer than a timer can hold", () => {
    const cause = { kind: "rate-limited", message: "429", retryAfterMs: 2 ** 40 } as const;

    expect(restart(noHistory, { at: 1, cause }, 0.5)).toMatchObject({ delayMs: 2_147_483_647 });
  });

  it("starts a server at most 8 times in any 60 s, whatever the chance", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(chance, { minLength: 30, maxLength: 30 }), fc.nat(12_000), (chances, upMs) => {
        let now = 0;
        let history = noHistory;
        const starts: number[] = [];
        for (const random of chances) {
          starts.push(now);
          const at = now + upMs;
          const verdict = restart(history, end("crashed", at, { readyAt: now }), random);
          if (verdict.kind !== "again") break;
          history = verdict.history;
          now = at + verdict.delayMs;
        }
        for (const from of starts) {
          expect(starts.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(8);
        }
      }),
    );
  });

  it("is not caught by a clock that was set back", () => {
    const future: RestartHistory = { ends: [9e12, 9e12, 9e12, 9e12], count: 4, lastDelayMs: 0 };
    const now = restart(future, end("crashed", 1_000), 0.5);

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
    const source = readFileSync(new URL("../../src/errors.ts", import.meta.url), "utf8");
    const union = /export type CauseKind =([^;]*);/.exec(source)?.[1] ?? "";
    const kinds = [...union.matchAll(/"([a-z-]+)"/g)].map((match) => match[1]);

    expect(kinds.length).toBeGreaterThan(50);
    expect(new Set(Object.keys(causeTable))).toEqual(new Set(kinds));
  });
});
