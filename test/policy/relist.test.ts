import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { becameNoisy, changed, listed, listFailed, newRelist, noisy } from "../../src/policy/relist.js";

describe("listing again", () => {
  it("makes one walk of a burst, 250 ms after its first change", () => {
    const ready = listed(newRelist, 1_000);

    expect(changed(ready, 5_000)).toMatchObject({ dueAt: 5_250, gapMs: 250 });
    expect(changed(ready, 1_001)).toMatchObject({ dueAt: 1_251 });
  });

  it.each([
    [10_999, 500],
    [11_000, 250],
  ])(
    "takes a change %i ms after the start for one that the walk at 1,000 has caused, or not: %i",
    (now, gapMs) => {
      expect(changed(listed(changed(newRelist, 500), 1_000), now).gapMs).toBe(gapMs);
    },
  );

  it.each([
    [60_499, 1_000],
    [60_500, 250],
  ])("is calm again a minute after the last change: %i, %i", (now, gapMs) => {
    expect(changed({ ...newRelist, gapMs: 500, changedAt: 500, listedAt: now - 1 }, now).gapMs).toBe(gapMs);
  });

  it("doubles the wait while each walk causes the next change, up to a minute", () => {
    let now = 1_000;
    let relist = listed(newRelist, now);
    const gaps: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      relist = changed(relist, now);
      gaps.push(relist.dueAt - now);
      now = relist.dueAt;
      relist = listed(relist, now);
    }

    expect(gaps).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 250, 500]);
  });

  it("is quick again after a quiet minute", () => {
    const slow = { ...newRelist, gapMs: 32_000, changedAt: 1_000, listedAt: 33_000 };

    expect(changed(slow, 60_999)).toMatchObject({ gapMs: 60_000 });
    expect(changed(slow, 61_000)).toMatchObject({ gapMs: 250, dueAt: 61_250 });
  });

  it("does not slow down a server that changes now and then", () => {
    const calm = { ...newRelist, changedAt: 1_000, listedAt: 1_250 };

    expect(changed(calm, 31_000)).toMatchObject({ gapMs: 250 });
  });

  it("walks at most 12 times in any 10 s, whenever changes come", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 60 }), (pauses) => {
        let now = 1_000_000;
        let relist = listed(newRelist, now);
        const walks = [now];
        for (const pause of pauses) {
          relist = changed(relist, now + pause);
          now = relist.dueAt;
          relist = listed(relist, now);
          walks.push(now);
        }
        for (const from of walks) {
          expect(walks.filter((at) => at >= from && at < from + 10_000).length).toBeLessThanOrEqual(12);
        }
      }),
    );
  });

  it("tells once per streak that the list changes too often", () => {
    const gaps = [250, 2_000, 4_000, 8_000, 60_000];

    expect(gaps.map((gapMs) => becameNoisy({ ...newRelist, gapMs }))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(noisy({ ...newRelist, gapMs: 4_000 })).toBe(
      "its tool list changes too often; it is now read at most every 4 s",
    );
  });

  it("tries a failed walk again after a longer wait", () => {
    expect(listFailed(newRelist, 1_000)).toEqual({
      ...newRelist,
      gapMs: 500,
      listedAt: 1_000,
      dueAt: 1_500,
      failures: 1,
    });
    expect(listed(listFailed(newRelist, 1_000), 2_000).failures).toBe(0);
  });
});
