import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { figure, full } from "../faults/figures.js";
import {
  isAlive,
  killToken,
  newToken,
  shortGraces,
  startShape,
  testProcesses,
  withToken,
} from "./support.js";

const trials = full ? 20 : 3;
/** So many families live side by side; one of them may have 50 members. */
const sideBySide = full ? 5 : 3;
const patience = 900_000;

const sum = { families: 0, processes: 0 };
afterAll(() => {
  figure("stopped families, each of 15 shapes", `${trials} of each, ${sum.families} in all`);
  figure("… their processes, and survivors", `${sum.processes}, 0`);
});

/** Tokens of all trials of a shape, in portions that live side by side. */
function portions(): string[][] {
  return Array.from({ length: Math.ceil(trials / sideBySide) }, (_, at) =>
    Array.from({ length: Math.min(sideBySide, trials - at * sideBySide) }, newToken),
  );
}

const families = [
  ["A", "a plain server"],
  ["B", "a chain of launchers"],
  ["C", "a grandchild that ignores TERM"],
  ["D", "a grandchild with a session of its own"],
  ["E", "a daemon that lost its parent"],
  ["F", "a daemon that ignores TERM"],
  ["G", "a daemon without our environment that keeps our pipes"],
  ["H", "50 children, half of which ignore TERM"],
  ["I", "runners that fork anew every 5 ms"],
  ["J", "runners that fork into a new session every 5 ms"],
  ["L", "background jobs of a shell"],
  ["M", "a family that is stopped"],
  ["N", "20 zombies below a server that ignores TERM"],
  ["P", "a grandchild with a group of its own"],
] as const;

describe("stopping a tree leaves nothing of", () => {
  it.each(families)(
    "%s: %s",
    async (shape) => {
      for (const tokens of portions()) {
        const processes = testProcesses();
        onTestFinished(() => tokens.forEach(killToken));
        const children = await Promise.all(tokens.map((token) => startShape(processes, shape, token)));
        sum.families += tokens.length;
        sum.processes += tokens.flatMap(withToken).length;

        const ends = await Promise.all(children.map((child) => child.stop(shortGraces)));

        expect(ends.flatMap((end) => end.survivors)).toEqual([]);
        expect(tokens.flatMap(withToken)).toEqual([]);
        expect(children.filter((child) => isAlive(child.pid))).toEqual([]);
        expect(processes.owned()).toEqual([]);
      }
    },
    patience,
  );

  it(
    "K: a server that crashed and left a grandchild",
    async () => {
      for (const token of portions().flat()) {
        const processes = testProcesses();
        onTestFinished(() => killToken(token));
        const child = await startShape(processes, "K", token);
        expect(await child.exit).toEqual({ code: 1, signal: null });
        expect(withToken(token)).toHaveLength(1);
        sum.families++;
        sum.processes++;

        const end = await child.stop(shortGraces);

        expect(end).toMatchObject({ survivors: [], forced: true });
        expect(withToken(token)).toEqual([]);
      }
    },
    patience,
  );

  it("any family when it is killed without waiting", async () => {
    const processes = testProcesses();
    const token = newToken();
    onTestFinished(() => killToken(token));
    for (const shape of ["C", "D", "F", "G", "J", "M"]) await startShape(processes, shape, token);

    processes.killAllNow();

    await expect.poll(() => withToken(token)).toEqual([]);
    await expect(startShape(processes, "A", token)).rejects.toMatchObject({ info: { kind: "stopping" } });
  });
});
