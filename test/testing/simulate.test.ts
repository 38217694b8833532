import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { simulate } from "../../src/testing/index.js";
import type { FakeScript, FakeTool, SimulationReport } from "../../src/testing/index.js";

const full = process.env["MCPVISOR_FULL"] !== undefined;
const seeds = Number(process.env["SEEDS"] ?? (full ? 20_000 : 2_000));
const firstSeed = Number(process.env["FIRST_SEED"] ?? 1);

const handOverSeeds = Math.ceil(seeds / 10);

/** Two servers that may have two lives, one of them with calls that last longer than a drain. */
function handingOver(seed: number): FakeScript[] {
  const tools: FakeTool[] = [
    { name: "echo" },
    { name: "slow", latency: [10, 14_000] },
    { name: "read", latency: [0, 500], annotations: { readOnlyHint: true } },
    { name: "steps", latency: 300 },
  ];
  const common = { tools, overlaps: true };
  const limits = { inFlight: 4 };
  const [eager, lazy] = [{ restart: "eager", timeout: "20s", limits } as const, { timeout: "3s" }];
  const connectTimeout = seed % 2 === 0 ? "1s" : "3s";
  return [
    { ...common, id: "s1", seed, config: { ...eager, connectTimeout } },
    { ...common, id: "s2", seed: seed + 7, config: { ...lazy, connectTimeout, lazy: seed % 3 === 0 } },
  ];
}

/** Facts as text would drown the message of a failing test. */
function digest({ facts }: SimulationReport): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

describe("a simulated fleet", () => {
  it(`keeps every promise with each of ${seeds} seeds, and meets every fault it can have`, async () => {
    const broken: string[] = [];
    const reached = new Set<string>();
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const report = await simulate({ seed, steps: 16, servers: 1 + (seed % 2) });
      for (const name of Object.keys(report.reached)) reached.add(name);
      for (const { rule, message } of report.violations) broken.push(`${report.replay}: ${rule}: ${message}`);
    }

    expect(broken.slice(0, 10)).toEqual([]);
    expect([...reached].toSorted()).toEqual([
      "bad-version",
      "crash-after",
      "crash-before",
      "crash-mid",
      "duplicate-answer",
      "endless-pages",
      "endless-progress",
      "error",
      "hang",
      "late-answer",
      "list-changed-storm",
      "refuse",
      "request-first",
      "same-cursor",
      "schema-lie",
      "session-expiry",
      "slow-close",
      "string-id",
      "survivors",
      "wrong-id",
    ]);
  }, 3_600_000);

  it(`keeps every promise over hand-overs and those that fail, with each of ${handOverSeeds} seeds`, async () => {
    const broken: string[] = [];
    const count = { replaced: 0, rolledBack: 0 };
    for (let seed = firstSeed; seed < firstSeed + handOverSeeds; seed++) {
      const { violations, facts } = await simulate({ seed, steps: 60, servers: handingOver(seed) });
      for (const { rule, message } of violations) broken.push(`seed ${seed}: ${rule}: ${message}`);
      for (const fact of facts) {
        if (fact.type !== "mcp.state" || fact.from !== "replacing" || fact.to !== "ready") continue;
        count[fact.cause.kind === "replaced" ? "replaced" : "rolledBack"]++;
      }
    }

    expect(broken.slice(0, 10)).toEqual([]);
    expect(count.replaced).toBeGreaterThan(handOverSeeds / 2);
    expect(count.rolledBack).toBeGreaterThan(handOverSeeds / 20);
  }, 3_600_000);

  it("goes the same way twice with the same seed, byte for byte, and another way with another", async () => {
    const one = await simulate({ seed: 547, steps: 80 });
    const again = await simulate({ seed: 547, steps: 80 });
    const other = await simulate({ seed: 548, steps: 80 });

    expect(digest(again)).toBe(digest(one));
    expect(digest(other)).not.toBe(digest(one));
    expect(one.facts.length).toBeGreaterThan(100);
    expect(one.replay).toBe('simulate({"seed":547,"steps":80})');
  });

  it("takes scripts of its own, and no faults when none may happen", async () => {
    const report = await simulate({ seed: 3, steps: 20, servers: [{ id: "mine" }], faults: [] });

    expect(report.reached).toEqual({});
    expect(report.violations).toEqual([]);
    expect(report.facts.some((fact) => fact.type === "mcp.connected" && fact.id === "mine")).toBe(true);
  });
});
