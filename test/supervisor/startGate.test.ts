import { describe, expect, it } from "vitest";
import { running, scripted, supervise } from "../support.js";

describe("the start of a fleet", () => {
  it("has at most parallelStarts servers starting at the same time, and starts each once", async () => {
    const fleet = Array.from({ length: 6 }, (_, at) => scripted(`s${at}`, "scripted.mjs"));
    const supervisor = supervise(fleet, { parallelStarts: 2 });
    const starting = new Set<string>();
    let most = 0;
    supervisor.events$.subscribe((fact) => {
      if (fact.type !== "mcp.state") return;
      if (["connecting", "initializing", "listing"].includes(fact.to)) starting.add(fact.id);
      else starting.delete(fact.id);
      most = Math.max(most, starting.size);
    });

    const report = await supervisor.ready({ timeout: "40s" });

    expect(report.ok).toBe(true);
    expect(most).toBe(2);
    expect(supervisor.servers().map((server) => server.generation)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("is not held up by servers that fail, rest or are switched off", async () => {
    const supervisor = await running(
      [
        { id: "bad", command: "no-such-command-anywhere" },
        scripted("off", "scripted.mjs", [], { enabled: false }),
        scripted("lazy", "scripted.mjs", [], { lazy: true }),
        scripted("good", "scripted.mjs"),
      ],
      { parallelStarts: 1 },
    );

    expect(supervisor.servers().map(({ id, state }) => [id, state])).toEqual([
      ["bad", "parked"],
      ["off", "disabled"],
      ["lazy", "idle"],
      ["good", "ready"],
    ]);
  });
});
