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

  it("let what came meanwhile be read first when the process stood still", () => {
    let now = 0;
    const timers: { callback: () => void; delayMs: number }[] = [];
    const clock = {
      now: () => now,
      setTimeout: (callback: () => void, delayMs: number) => timers.push({ callback, delayMs }),
      clearTimeout: () => undefined,
    };
    const deadlines = createDeadlines(clock);
    const ended: string[] = [];
    const answered: Dated = { dueAt: 100, expire: () => ended.push("answered") };
    deadlines.add(answered);
    deadlines.add({ dueAt: 100, expire: () => ended.push("silent") });

    // Stopped for a minute: the timer is the first to run.
    now = 60_000;
    timers[0]!.callback();
    expect(ended).toEqual([]);
    // Then the pipes are read, and an answer is in them.
    deadlines.remove(answered);
    timers.at(-1)!.callback();

    expect(timers.at(-1)!.delayMs).toBeLessThan(100);
    expect(ended).toEqual(["silent"]);
  });
});
