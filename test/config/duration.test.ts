import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/config/fields/duration.js";

describe("parseDuration", () => {
  it.each([
    ["30s", 30_000],
    ["2m", 120_000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["1.5h", 5_400_000],
    ["1d2h3m4s5ms", 93_784_005],
    ["0s", 0],
    ["24d", 2_073_600_000],
    [0, 0],
    [1500, 1500],
    [2_147_483_647, 2_147_483_647],
  ])("reads %j as %d ms", (input, ms) => {
    expect(parseDuration(input)).toEqual({ ok: true, ms });
  });

  it.each([
    "",
    "30",
    "30 s",
    " 30s",
    "-3s",
    "s",
    "10x",
    "1M",
    "1h banana",
    "3 days 2",
    "30m1h",
    "1s1s",
    "1e3s",
    ".5s",
    "1.s",
    "25d",
    "١s",
    -1,
    2_147_483_648,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    {},
    ["30s"],
  ])("refuses %j with a reason", (input) => {
    const reading = parseDuration(input);

    expect(reading.ok).toBe(false);
    expect(reading).toHaveProperty("problem", expect.stringMatching(/\S/));
  });

  it("counts plain numbers in seconds where that is asked for, and text the same as ever", () => {
    expect(parseDuration(60, "s")).toEqual({ ok: true, ms: 60_000 });
    expect(parseDuration(0.25, "s")).toEqual({ ok: true, ms: 250 });
    expect(parseDuration("60ms", "s")).toEqual({ ok: true, ms: 60 });
  });

  it("reads back every duration written with descending units", () => {
    const part = fc.nat({ max: 20 });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part, part), ([d, h, m, s, ms]) => {
        const text = `${d}d${h}h${m}m${s}s${ms}ms`;
        expect(parseDuration(text)).toEqual({
          ok: true,
          ms: d * 86_400_000 + h * 3_600_000 + m * 60_000 + s * 1000 + ms,
        });
      }),
    );
  });

  it("never throws, and what it accepts is always a whole number a timer can wait", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.stringMatching(/^[\d.]{1,4}[dhms]{1,2}[\d.]{0,3}[ms]{0,2}$/)),
        (input) => {
          const reading = parseDuration(input);
          if (!reading.ok) return;
          expect(Number.isSafeInteger(reading.ms)).toBe(true);
          expect(reading.ms).toBeGreaterThanOrEqual(0);
          expect(reading.ms).toBeLessThanOrEqual(2_147_483_647);
        },
      ),
    );
  });
});
