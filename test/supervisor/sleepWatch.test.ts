import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/index.js";
import { nextFact, scripted, supervise } from "../support.js";

/** Real time, a hundred times as fast, whose wall clock can jump as after a sleep of the machine. */
function sleepyClock(): Clock & { sleep(ms: number): void } {
  let slept = 0;
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) * 100;
  return {
    now: () => 1_000_000 + elapsed() + slept,
    elapsed,
    setTimeout: (callback, delayMs) => setTimeout(callback, delayMs / 100),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    sleep: (ms) => {
      slept += ms;
    },
  };
}

describe("after a sleep of the machine", () => {
  it("a server that answers nothing any more is taken for dead, one that answers stays", async () => {
    const clock = sleepyClock();
    const long = { connectTimeout: "10m" } as const;
    const supervisor = supervise(
      [scripted("awake", "scripted.mjs", [], long), scripted("gone", "scripted.mjs", [], long)],
      { clock },
    );
    await supervisor.ready({ timeout: "1h" });
    const pid = supervisor.server("gone")!.status().pids[0]!;
    process.kill(pid, "SIGSTOP");
    const down = nextFact(supervisor, "mcp.disconnected");

    clock.sleep(3_600_000);

    expect(await down).toMatchObject({ id: "gone", reason: { kind: "unhealthy" } });
    expect(supervisor.server("awake")!.status()).toMatchObject({ state: "ready", generation: 1 });
  });
});
