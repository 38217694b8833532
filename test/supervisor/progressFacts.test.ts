import { describe, expect, it, onTestFinished } from "vitest";
import { createSupervisor } from "../../src/index.js";
import type { Fact } from "../../src/index.js";
import { fakeServer, fleetOf } from "../../src/testing/index.js";

const count = 3000;

/** A tool that tells its progress as fast as it can. */
async function flood(): Promise<{ facts: readonly Fact[]; heard: number; complete: boolean }> {
  const server = await fakeServer({
    id: "busy",
    config: { trusted: true },
    tools: [
      {
        name: "run",
        annotations: { readOnlyHint: true },
        answer: (_args, call) => {
          for (let at = 1; at <= count; at++) call.progress(at, count);
          return "done";
        },
      },
    ],
  });
  onTestFinished(() => server.close());
  const supervisor = createSupervisor({ ...fleetOf(server), mode: "allow-trusted", remember: false });
  onTestFinished(async () => void (await supervisor.stop()));
  await supervisor.ready();
  let heard = 0;
  const result = await supervisor.callTool("mcp_busy_run", {}, { onProgress: () => heard++ });
  expect(result).toMatchObject({ ok: true });
  const { facts, complete } = supervisor.replay(0);
  return { facts, heard, complete };
}

describe("facts about progress", () => {
  it("are ten a second of one call; the host hears each note, and the last one stands before the end", async () => {
    const begun = performance.now();
    const { facts, heard, complete } = await flood();
    const seconds = (performance.now() - begun) / 1000;
    const told = facts.filter((fact) => fact.type === "mcp.call.progress");

    expect(heard).toBe(count);
    expect(told.length).toBeLessThanOrEqual(2 + seconds * 10);
    expect(told[0]).toMatchObject({ progress: 1 });
    expect(told.at(-1)).toMatchObject({ progress: count });
    expect(facts.findIndex((fact) => fact.type === "mcp.call.settled")).toBeGreaterThan(
      facts.indexOf(told.at(-1)!),
    );
    expect(complete).toBe(true);
    expect(facts.some((fact) => fact.type === "mcp.connected")).toBe(true);
  });
});
