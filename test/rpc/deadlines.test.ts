import { describe, expect, it } from "vitest";
import { createDeadlines } from "../../src/rpc/deadlines.js";
import type { Dated } from "../../src/rpc/deadlines.js";
import { manualClock } from "./manualClock.js";

describe("deadlines", () => {
  it("expire each item once, at its time, behind a single timer", () => {
    const clock = manualClock();
    const deadlines = createDeadlines(clock);
    const ended: [string, number][] = [];
    const item = (name: string, dueAt: number): Dated => ({
      dueAt,
      expire: (now) => ended.push([name, now]),
    });

    deadlines.add(item("late", 300));
    deadlines.add(item("early", 100));
    deadlines.add(item("middle", 200));
    expect(clock.timers()).toBe(1);
    clock.advance(1000);

    expect(ended.map(([name]) => name)).toEqual(["early", "middle", "late"]);
    expect(deadlines.size).toBe(0);
    expect(clock.timers()).toBe(0);
  });

  it("never expire what was removed, and follow a deadline that moved", () => {
    const clock = manualClock();
    const deadlines = createDeadlines(clock);
    const ended: string[] = [];
    const moved: Dated = { dueAt: 100, expire: () => ended.push("moved") };
    const removed: Dated = { dueAt: 150, expire: () => ended.push("removed") };
    deadlines.add(moved);
    deadlines.add(removed);

    moved.dueAt = 500;
    deadlines.remove(removed);
    clock.advance(400);
    expect(ended).toEqual([]);
    clock.advance(110);

    expect(ended).toEqual(["moved"]);
  });

  it("accept new items from an expiry", () => {
    const clock = manualClock();
    const deadlines = createDeadlines(clock);
    const ended: number[] = [];
    deadlines.add({
      dueAt: 10,
      expire: () => deadlines.add({ dueAt: 40, expire: (now) => ended.push(now) }),
    });

    clock.advance(100);

    expect(ended).toEqual([40]);
  });
});
