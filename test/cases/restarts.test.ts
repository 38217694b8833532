import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/index.js";
import { realClock } from "../../src/index.js";
import { eventually, nextFact, running, scripted, supervise, temporaryFolder } from "../support.js";

/** Time that goes `factor` times faster for what is timed; processes take as long as they take. */
function fast(factor: number): Clock {
  const begun = realClock.now();
  return {
    now: () => begun + (realClock.now() - begun) * factor,
    setTimeout: (run, ms) => realClock.setTimeout(run, ms / factor),
    clearTimeout: (timer) => realClock.clearTimeout(timer),
  };
}

/** Limits are on the fast clock, starts are not. */
const patient = { connectTimeout: 300 };

function starts(file: string): { at: number; pid: number }[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("start"))
    .map((line) => ({ at: Number(line.split(" ")[1]), pid: Number(line.split(" ")[2]) }));
}

describe("servers that do not stay", () => {
  it("C007 tries a server that ends at once again with growing waits, and leaves the others alone", {
    timeout: 60_000,
  }, async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = supervise(
      [
        scripted("bad", "countsStarts.mjs", ["--exit=1"], {
          env: { EVENTS: file },
          restart: "eager",
          ...patient,
        }),
        scripted("good", "countsStarts.mjs", [], patient),
      ],
      { clock: fast(10), random: () => 0.5 },
    );
    await supervisor.start();
    await eventually(() => supervisor.server("bad")!.status().restarts === 6, "six failed tries");

    const status = supervisor.server("bad")!.status();
    expect(status).toMatchObject({ state: "reconnecting", generation: 6, lastError: { exitCode: 1 } });
    expect(status.lastError!.stderrTail).toEqual(["fatal: no database"]);
    expect(status.nextAttemptAt! - status.since).toBeGreaterThan(10_000);
    const waits = supervisor
      .replay(0)
      .facts.flatMap((fact) =>
        fact.type === "mcp.state" && fact.id === "bad" && fact.to === "reconnecting"
          ? [Math.round(fact.nextAttemptAt! - fact.at)]
          : [],
      );
    expect(waits).toHaveLength(6);
    expect(waits.slice(1).every((wait, index) => wait > waits[index]! * 1.5)).toBe(true);
    expect(starts(file)).toHaveLength(6);
    expect(supervisor.server("good")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });

  it("C008 does not take a handshake for health", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = supervise(
      [
        scripted("flaps", "countsStarts.mjs", ["--up=200"], {
          env: { EVENTS: file },
          restart: "eager",
          ...patient,
        }),
      ],
      { clock: fast(3) },
    );
    await supervisor.start();
    await nextFact(supervisor, "mcp.disconnected");
    expect(supervisor.tools()).toHaveLength(1);
    await eventually(() => supervisor.server("flaps")!.status().restarts >= 3, "three restarts");
    expect(supervisor.tools()).toHaveLength(1);
    await eventually(() => supervisor.server("flaps")!.status().state === "parked", "that it gave up");

    expect(supervisor.server("flaps")!.status()).toMatchObject({ restarts: 5, cause: { kind: "gave-up" } });
    expect(starts(file)).toHaveLength(5);
  });

  it("C010 waits for a slow start with one process", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = await running([
      scripted("slow", "countsStarts.mjs", ["--slow=3000"], { env: { EVENTS: file }, connectTimeout: 30 }),
    ]);
    expect(supervisor.server("slow")!.status()).toMatchObject({ state: "ready", generation: 1 });
    expect(starts(file)).toHaveLength(1);
  });

  it("C010 ends one that is too slow before it tries again", { timeout: 60_000 }, async () => {
    const file = join(temporaryFolder(), "events");
    const supervisor = supervise([
      scripted("slow", "countsStarts.mjs", ["--slow=60000"], {
        env: { EVENTS: file },
        connectTimeout: 1,
        restart: "eager",
        shutdown: { eof: "300ms" },
      }),
    ]);
    await supervisor.start();
    await eventually(() => supervisor.server("slow")!.status().generation >= 3, "the third try");

    const { lastError } = supervisor.server("slow")!.status();
    expect(lastError).toMatchObject({ kind: "connect-timeout" });
    expect(lastError!.message).toContain('server "slow": it was not ready within 1 s');
    expect(lastError!.message).toContain("connectTimeout");
    const facts = supervisor.replay(0).facts.flatMap((fact) => (fact.type === "mcp.state" ? [fact.to] : []));
    expect(facts.filter((to) => to === "connecting" || to === "closing").slice(0, 4)).toEqual([
      "connecting",
      "closing",
      "connecting",
      "closing",
    ]);
  });

  it.each(["unknown", "refused"])(
    "C011 takes an error in answer to ping for a sign of life (%s)",
    { timeout: 60_000 },
    async (ping) => {
      const supervisor = await running(
        [scripted("p", "oddPings.mjs", [`--ping=${ping}`], { health: "4s", ...patient })],
        { clock: fast(10) },
      );
      await new Promise((done) => setTimeout(done, 4000));
      expect(Number((await supervisor.callTool("mcp_p_pings")).text)).toBeGreaterThan(1);
      expect(supervisor.server("p")!.status()).toMatchObject({ state: "ready", generation: 1 });
    },
  );

  it("C011 takes any answered call for a sign of life", { timeout: 60_000 }, async () => {
    const supervisor = await running(
      [scripted("p", "oddPings.mjs", ["--ping=silent"], { health: "4s", ...patient })],
      { clock: fast(10) },
    );
    const end = Date.now() + 4000;
    while (Date.now() < end) {
      expect(await supervisor.callTool("mcp_p_pings")).toMatchObject({ ok: true });
      await new Promise((done) => setTimeout(done, 150));
    }
    expect(supervisor.server("p")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});
