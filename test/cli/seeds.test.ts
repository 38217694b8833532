import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { openThread } from "../../src/cli/chaos/seeds/threads.js";
import { openSandbox } from "./support/binary.js";

const fallible = pathToFileURL(resolve(import.meta.dirname, "../fixtures/threads/fallible.mjs"));

describe("seeds in a thread", () => {
  it("runs block after block", async () => {
    const thread = openThread(fallible);

    const one = await thread.run({ first: 1, count: 3 });
    const two = await thread.run({ first: 4, count: 2 });
    await thread.close();

    expect([one.seeds, two.seeds]).toEqual([3, 2]);
  });

  it("tells of a seed that ends its thread with the line that replays it, and runs all others", async () => {
    const thread = openThread(fallible);

    const report = await thread.run({ first: 5, count: 5 });
    await thread.close();

    expect(report).toEqual({
      seeds: 5,
      calls: 40,
      facts: 0,
      simulatedMs: 0,
      faults: { hang: 4 },
      broken: [
        {
          seed: 7,
          replay: 'simulate({"seed":7,"steps":16,"servers":2})',
          rule: "ends",
          message: "threw: seven is too much",
        },
      ],
    });
  });
});

describe("mcpvisor chaos --simulate", () => {
  it("spreads seeds over threads, and tells the sum", async () => {
    const sandbox = openSandbox();
    const { code, stdout } = await sandbox.run(["chaos", "--simulate", "220", "--threads", "2", "--json"]);
    sandbox.close();

    expect(JSON.parse(stdout)).toMatchObject({
      type: "mcpvisor.simulated",
      first: 1,
      seeds: 220,
      broken: 0,
      violations: [],
    });
    expect(code).toBe(0);
  }, 120_000);
});
