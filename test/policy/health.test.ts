import { describe, expect, it } from "vitest";
import {
  lookAtHealth,
  newHealth,
  pingAnswered,
  pingMissed,
  trafficAnswered,
} from "../../src/policy/health.js";
import type { Health } from "../../src/policy/health.js";

const options = { everyMs: 10_000, maxMissed: 3 };
const look = (health: Health, now: number, inFlight = 0) => lookAtHealth(health, now, inFlight, options);

/** Looks every 10 s; each ping is missed. */
function silence(health: Health, looks: number, inFlight = 0) {
  let now = health.lookedAt;
  let current = health;
  const advices: string[] = [];
  for (let i = 0; i < looks; i += 1) {
    now += 10_000;
    const seen = look(current, now, inFlight);
    advices.push(seen.advice);
    current = seen.advice === "ping" ? pingMissed(seen.health, now, now + 5_000, options) : seen.health;
  }
  return { advices, health: current };
}

describe("health", () => {
  it("ends a life after three missed pings without any sign of life", () => {
    expect(silence(newHealth(0), 4).advices).toEqual(["ping", "ping", "ping", "dead"]);
  });

  it("takes any answer to a ping for a sign of life", () => {
    const { health } = silence(newHealth(0), 2);

    expect(pingAnswered(health, 26_000)).toMatchObject({ missed: 0, aliveAt: 26_000 });
  });

  it("asks nothing while other requests are answered", () => {
    const busy = trafficAnswered(newHealth(0), 9_000);

    expect(look(busy, 10_000).advice).toBe("rest");
  });

  it("never ends a server with a call in flight", () => {
    expect(silence(newHealth(0), 5, 1).advices).toEqual(["ping", "ping", "ping", "rest", "rest"]);
  });

  it("never ends a server that answers requests but ignores pings", () => {
    const { health } = silence(newHealth(0), 2);
    const answers = trafficAnswered(health, 26_000);

    expect(answers.ignoresPing).toBe(true);
    expect(silence({ ...answers, lookedAt: 30_000 }, 6).advices).not.toContain("dead");
    expect(pingAnswered(answers, 27_000).ignoresPing).toBe(false);
  });

  it("remembers that pings are ignored over any number of answers, until a ping is answered", () => {
    const { health } = silence(newHealth(0), 2);
    const answered = trafficAnswered(trafficAnswered(health, 26_000), 27_000);

    expect(answered).toMatchObject({ ignoresPing: true, missed: 0, aliveAt: 27_000 });
    expect(silence({ ...answered, lookedAt: 30_000 }, 6).advices).not.toContain("dead");
    const pinged = pingAnswered(answered, 28_000);
    expect(silence({ ...pinged, lookedAt: 30_000 }, 5).advices).toContain("dead");
  });

  it.each([
    ["a rest between two looks", 9_999, "rest"],
    ["exactly one look", 10_000, "ping"],
    ["three looks", 30_000, "ping"],
  ])("counts silence from the last sign of life: %s", (_, silentMs, advice) => {
    expect(look({ ...newHealth(0), lookedAt: silentMs - 5_000 }, silentMs).advice).toBe(advice);
  });

  it.each([
    [30_000, 3],
    [30_001, 0],
  ])("takes a look %i ms after the last one for a sleep or not, and keeps %i misses", (now, missed) => {
    const health = { ...newHealth(0), missed: 3 };

    expect(look(health, now)).toMatchObject({ health: { missed }, advice: missed === 3 ? "dead" : "ping" });
    expect(pingMissed(newHealth(-1), 0, now, options).missed).toBe(missed === 3 ? 1 : 0);
  });

  it("does not count a ping as missed that was answered in the millisecond it was sent", () => {
    expect(pingMissed(newHealth(100), 100, 5_000, options).missed).toBe(0);
    expect(pingMissed(newHealth(99), 100, 5_000, options).missed).toBe(1);
  });

  it("takes an answer without a missed ping before it for nothing but a sign of life", () => {
    expect(trafficAnswered(newHealth(0), 5)).toEqual({
      aliveAt: 5,
      lookedAt: 0,
      missed: 0,
      ignoresPing: false,
    });
  });

  it("asks after a sleep of the machine even if something was answered just now", () => {
    expect(look(trafficAnswered(newHealth(0), 99_999), 100_000).advice).toBe("ping");
  });

  it("asks once after a sleep of the machine instead of judging", () => {
    const { health } = silence(newHealth(0), 3);
    const awake = look(health, 3_600_000);

    expect(awake).toMatchObject({ advice: "ping", health: { missed: 0 } });
    expect(pingMissed(newHealth(0), 10_000, 3_600_000, options).missed).toBe(0);
  });

  it("does not count a miss when something was answered after the ping", () => {
    const alive = trafficAnswered(newHealth(0), 12_000);

    expect(pingMissed(alive, 11_000, 16_000, options).missed).toBe(0);
  });
});
