import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { ContainmentChoice } from "../../src/process/containment/containment.js";
import type { OwnedProcess } from "../../src/process/owned.js";
import type { Processes } from "../../src/process/processes.js";
import { figure, full } from "../faults/figures.js";
import {
  containments,
  endFamily,
  left,
  isAlive,
  newToken,
  shortGraces,
  startShape,
  testProcesses,
  withToken,
} from "./support.js";

const trials = full ? 20 : 3;
/** So many families of a containment live side by side; one of them may have 50 members. */
const sideBySide = full ? 5 : 3;
const patience = 900_000;

const sum = { families: 0, processes: 0 };
afterAll(() => {
  figure(`stopped families, each of 15 shapes, held by ${containments.join(", ")}`, `${sum.families} in all`);
  figure("… their processes, and survivors", `${sum.processes}, 0`);
});

interface Portion {
  readonly processes: Processes;
  readonly containment: ContainmentChoice;
  readonly tokens: readonly string[];
  readonly children: readonly OwnedProcess[];
}

/** Families of a shape with every containment there is, in portions that live side by side; ended after the test. */
async function* portions(shape: string): AsyncGenerator<readonly Portion[]> {
  for (let at = 0; at < trials; at += sideBySide) {
    const count = Math.min(sideBySide, trials - at);
    const started = containments.map(async (containment) => {
      const processes = testProcesses({ containment });
      const tokens = Array.from({ length: count }, newToken);
      onTestFinished(() => endFamily(...tokens));
      const children = await Promise.all(tokens.map((token) => startShape(processes, shape, token)));
      return { processes, containment, tokens, children };
    });
    const made = await Promise.all(started);
    sum.families += made.flatMap(({ tokens }) => tokens).length;
    sum.processes += withToken(...made.flatMap(({ tokens }) => tokens)).length;
    yield made;
  }
}

/** Stops all of them at once; gives what is left by any account. */
async function stopAll(made: readonly Portion[]): Promise<readonly unknown[]> {
  const children = made.flatMap((each) => each.children);
  const tokens = made.flatMap((each) => each.tokens);
  const ends = await Promise.all(children.map((child) => child.stop(shortGraces)));
  return [
    ...ends.flatMap((end) => end.survivors),
    ...(await left(tokens, 0)),
    ...children.filter((child) => isAlive(child.pid)),
    ...made.flatMap(({ processes }) => processes.owned()),
  ];
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
      for await (const made of portions(shape)) expect(await stopAll(made)).toEqual([]);
    },
    patience,
  );

  it(
    "K: a server that crashed and left a grandchild",
    async () => {
      for await (const made of portions("K")) {
        for (const child of made.flatMap(({ children }) => children)) {
          expect(await child.exit).toEqual({ code: 1, signal: null });
        }
        // A namespace ends with its first process.
        const orphans = made.filter(({ containment }) => containment !== "namespace");
        const held = orphans.flatMap(({ tokens }) => tokens);
        expect(withToken(...held)).toHaveLength(held.length);

        expect(await stopAll(made)).toEqual([]);
      }
    },
    patience,
  );

  it.each(containments)("any family when it is killed without waiting (%s)", async (containment) => {
    const processes = testProcesses({ containment });
    const token = newToken();
    onTestFinished(() => endFamily(token));
    for (const shape of ["C", "D", "F", "G", "J", "M"]) await startShape(processes, shape, token);

    processes.killAllNow();

    expect(await left([token])).toEqual([]);
    await expect(startShape(processes, "A", token)).rejects.toMatchObject({ info: { kind: "stopping" } });
  });
});
