import { expect } from "vitest";
import type { FakeFault } from "../../../src/testing/index.js";
import { eventually, lives } from "../../support.js";
import { expectReached, failureOf, withFake } from "../fixture.js";
import type { Elsewhere, Row } from "../matrix.js";

const graces = { shutdown: { eof: "200ms", term: "200ms", kill: "5s" } };

/** A process that does not want to go is gone after the stop. */
async function stubborn(...faults: FakeFault[]): Promise<void> {
  const fixture = await withFake({ over: "stdio", config: graces, faults });
  for (const { fault } of faults) expectReached(fixture, fault);
  const { pids } = fixture.status();
  expect(pids).not.toEqual([]);

  const report = await fixture.supervisor.stop();

  expect(report).toMatchObject({ ended: 1, survivors: [] });
  for (const pid of pids) expect(await lives(pid)).toBe(false);
}

const elsewhere = (file: string, ...tests: string[]): readonly Elsewhere[] =>
  tests.map((test) => ({ file, test }));

export const shutdownRows: readonly Row[] = [
  {
    row: 55,
    fault: "it ignores the end of its input",
    outcome: "ended all the same",
    run: () => stubborn({ fault: "ignore-eof" }),
  },
  {
    row: 56,
    fault: "it ignores SIGTERM as well",
    outcome: "ended all the same",
    run: () => stubborn({ fault: "ignore-eof" }, { fault: "ignore-term" }),
  },
  {
    row: 57,
    fault: "families of processes in all shapes",
    outcome: "no survivors",
    run: () =>
      stubborn(
        { fault: "fork", on: "open", stream: "held" },
        { fault: "daemonise", on: "open" },
        { fault: "ignore-term" },
      ),
    elsewhere: [
      ...elsewhere("test/process/shapes.test.ts", "stopping a tree leaves nothing of"),
      ...elsewhere(
        "test/process/containment.test.ts",
        "by a subreaper holds daemons that left session, environment and pipes",
      ),
    ],
  },
  {
    row: 58,
    fault: "a call while it stops",
    outcome: "refused at once",
    async run() {
      const fixture = await withFake({});
      const stopping = fixture.supervisor.stop();
      expect(failureOf(await fixture.call())).toBe("unavailable");
      await stopping;
    },
  },
  {
    row: 59,
    fault: "stop, and stop again",
    outcome: "the second one forces",
    async run() {
      const fixture = await withFake({
        over: "stdio",
        config: { shutdown: { eof: "60s", term: "60s", kill: "5s" } },
        faults: [{ fault: "ignore-eof" }],
      });
      const { pids } = fixture.status();
      const stopping = fixture.supervisor.stop();
      const report = await fixture.supervisor.stop();
      expect(await stopping).toEqual(report);
      expect(report.ms).toBeLessThan(30_000);
      for (const pid of pids) expect(await lives(pid)).toBe(false);
    },
  },
  {
    row: 60,
    fault: "SIGKILL of the host",
    outcome: "the watchdog ends everything",
    elsewhere: elsewhere(
      "test/process/hostDeath.test.ts",
      "the watchdog ends all families and itself, and removes the ledger",
    ),
  },
  {
    row: 61,
    fault: "SIGKILL of the watchdog, then of the host",
    outcome: "the next start ends everything",
    elsewhere: elsewhere(
      "test/process/hostDeath.test.ts",
      "and the watchdog before it, the next start ends what is left before it starts anything",
    ),
  },
  {
    row: 62,
    fault: "pids that were used again, forged rows",
    outcome: "innocents live",
    elsewhere: elsewhere(
      "test/process/reaper.test.ts",
      "harms no innocent, whatever forged or outdated rows name it",
    ),
  },
  {
    row: 63,
    fault: "a process that cannot be ended",
    outcome: "stuck with its pid, no second copy; stop returns and names it",
    async run() {
      const fixture = await withFake({ faults: [{ fault: "survivors", count: 100 }] });
      fixture.fake.crash();
      await eventually(() => fixture.status().state === "stuck", "stuck");
      expectReached(fixture, "survivors");
      expect(fixture.status().cause.message).toContain("999999999");
      expect(failureOf(await fixture.call())).toBe("unavailable");
      expect(fixture.fake.generation).toBe(1);
      const report = await fixture.supervisor.stop();
      expect(report.survivors).toEqual([{ id: "x", pid: 999_999_999 }]);
    },
  },
];
