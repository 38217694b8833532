import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/index.js";
import { lives, scripted, supervise } from "../support.js";

/** Real time, a hundred times as fast: the 8 s that a stop may take are over after 80 ms. */
const hurried: Clock = {
  now: () => performance.now() * 100,
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs / 100),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

describe("a stop that is over its time", () => {
  it("leaves no process behind when it resolves, not even one that was stopped by somebody", async () => {
    const patient = { connectTimeout: "10m", shutdown: { eof: "30s", term: "30s" } } as const;
    const supervisor = supervise([scripted("frozen", "scripted.mjs", [], patient)], { clock: hurried });
    await supervisor.ready({ timeout: "1h" });
    const pid = supervisor.server("frozen")!.status().pids[0]!;
    process.kill(pid, "SIGSTOP");

    const report = await supervisor.stop();

    expect(await lives(pid)).toBe(false);
    expect(report.survivors).toEqual([]);
  });
});
