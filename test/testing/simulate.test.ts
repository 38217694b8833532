import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { simulate } from "../../src/testing/index.js";
import type { SimulationReport } from "../../src/testing/index.js";

const full = process.env["MCPVISOR_FULL"] !== undefined;
const seeds = Number(process.env["SEEDS"] ?? (full ? 20_000 : 2_000));
const firstSeed = Number(process.env["FIRST_SEED"] ?? 1);

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
