import { describe, expect, it } from "vitest";
import { createSupervisor } from "../../src/index.js";
import type { Fact } from "../../src/index.js";
import { fakeServer, fleetOf, simulatedClock } from "../../src/testing/index.js";

const second = 1000;
const hour = 3600 * second;

describe.each([false, true])(
  "a server that nobody can reach for a while (before its first life: %s)",
  (fromStart) => {
    it.each([
      ["1 s", second],
      ["4 s", 4 * second],
      ["a minute", 60 * second],
      ["ten minutes", 600 * second],
      ["an hour", hour],
      ["ten hours", 10 * hour],
    ])("is back without a call, and quiet meanwhile: %s", async (_, outageMs) => {
      const clock = simulatedClock();
      const fake = await fakeServer({
        id: "far",
        clock,
        tools: [{ name: "echo" }],
        config: { restart: "eager" },
      });
      const { servers, transports } = fleetOf(fake);
      const facts: Fact[] = [];
      const supervisor = createSupervisor({
        servers,
        transports,
        clock,
        mode: "allow-trusted",
        home: "/nonexistent/mcpvisor-outages",
        remember: false,
        handleSignals: false,
      });
      supervisor.events$.subscribe((fact) => facts.push(fact));
      const isReady = () => supervisor.server("far")?.status().state === "ready";
      let end: (() => void) | undefined;
      if (fromStart) end = fake.inject({ fault: "refuse" });
      await supervisor.start();
      await clock.advance(20 * second);
      expect(isReady()).toBe(!fromStart);
      end ??= fake.inject({ fault: "refuse" });
      fake.crash();

      await clock.advance(outageMs);
      expect(isReady()).toBe(false);
      const tries = fake.reached.get("refuse") ?? 0;
      const told = facts.filter((fact) => fact.type === "mcp.log").length;
      end();
      for (let waited = 0; !isReady() && waited < 31 * second; waited += 100) await clock.advance(100);

      expect(isReady()).toBe(true);
      // Never idle, never a storm: a try every half minute at the latest, and the log says it once, not once a try.
      expect(tries).toBeGreaterThanOrEqual(Math.max(1, Math.floor(outageMs / (30 * second)) - 2));
      expect(tries).toBeLessThanOrEqual(20 + Math.ceil((outageMs + 20 * second) / (20 * second)));
      expect(told).toBeLessThanOrEqual(3);
      const call = supervisor.callTool("mcp_far_echo");
      await clock.advance(second);
      expect(await call).toMatchObject({ ok: true });
      const stopped = supervisor.stop();
      await clock.advance(5 * second);
      await stopped;
      await fake.close();
    });
  },
);
