import type { AnyTransitionDefinition } from "xstate";
import { beforeAll, describe, expect, it } from "vitest";
import { machine, steps, walk } from "./supervisorWalk.js";
import type { Step, Walked } from "./supervisorWalk.js";
import { nameOf, nodes, transitions } from "./transitions.js";

const stops = (path: readonly string[]): number => path.filter((name) => name === "stop").length;

const mostWalks = 6_000;
const taken = new Set<AnyTransitionDefinition>();
const walks: { path: readonly Step[]; walked: Walked }[] = [];

beforeAll(() => {
  const seen = new Set<string>();
  const queue: { path: readonly Step[]; walked: Walked }[] = [];
  const visit = (path: readonly Step[]): void => {
    const walked = walk(path, taken);
    walks.push({ path, walked });
    if (seen.has(walked.key) || walked.done) return;
    seen.add(walked.key);
    queue.push({ path, walked });
  };
  visit([]);
  for (let at = queue.shift(); at !== undefined && walks.length < mostWalks; at = queue.shift()) {
    for (const step of at.walked.next) visit([...at.path, step]);
  }
});

function names(path: readonly Step[]): string[] {
  return path.map(({ name }) => name);
}

/** The first walk that breaks a rule, by the names of its steps: one line that replays it. */
function broken(rule: (walked: Walked, path: readonly string[]) => boolean): string[] | undefined {
  const found = walks.find(({ walked, path }) => !rule(walked, names(path)));
  return found === undefined ? undefined : names(found.path);
}

describe("on all paths of the supervisor machine", () => {
  it("no server begins before the start, nor after a stop, nor without a reason of its own", () => {
    expect(walks.length).toBeGreaterThan(1_000);
    expect(
      broken(({ lives }, path) =>
        lives.every(({ id, at }) => {
          const before = path.slice(0, at + 1);
          const isStarted = before.some((name) => name.startsWith("start"));
          return path[at] === `order ${id}` || (isStarted && !before.includes("stop"));
        }),
      ),
    ).toBeUndefined();
  });

  it("a server that is added again begins only when its old life is gone", () => {
    expect(walks.some(({ walked }) => walked.lives.length > 1)).toBe(true);
    expect(broken(({ mostLives }) => mostLives <= 1)).toBeUndefined();
  });

  it("every server that is known has a machine, and every machine a server", () => {
    expect(
      broken(({ known, machines, done }) => done || [...known].join() === [...machines].join()),
    ).toBeUndefined();
  });

  it("the set ends by a stop only, and a second stop always ends it", () => {
    expect(broken(({ done }, path) => !done || stops(path) > 0)).toBeUndefined();
    expect(broken(({ done }, path) => stops(path) < 2 || done)).toBeUndefined();
    expect(broken(({ done, state }) => done === (state === "stopped"))).toBeUndefined();
  });

  it("nothing leads out of a stop: a start is not heard any more", () => {
    const stopping = walks.filter(({ walked }) => walked.state === "stopping");

    expect(stopping.length).toBeGreaterThan(10);
    for (const { path } of stopping) {
      const after = walk([...path, stepOf("start")], taken);
      expect([names(path), after.state]).toEqual([names(path), "stopping"]);
    }
  });

  it("its end names whom it had to force, and those only", () => {
    expect(walks.some(({ walked }) => (walked.output?.forced.length ?? 0) > 0)).toBe(true);
    expect(
      broken(({ output }, path) => {
        if (output === undefined) return true;
        const isForced = stops(path) > 1 || path.at(-1) === "10 s";
        return isForced || output.forced.length === 0;
      }),
    ).toBeUndefined();
  });

  it("reaches every state and takes every transition, each branch of each guard", () => {
    const reached = new Set([...taken].flatMap((each) => (each.target ?? []).map(({ id }) => id)));
    const missing = transitions(machine.root).filter((each) => !taken.has(each));

    expect(nodes(machine.root).map(({ id }) => id)).toEqual([
      "supervisor",
      "supervisor.idle",
      "supervisor.running",
      "supervisor.stopping",
      "supervisor.stopped",
    ]);
    expect([...reached].filter((id) => id.startsWith("supervisor.")).toSorted()).toEqual([
      "supervisor.running",
      "supervisor.stopped",
      "supervisor.stopping",
    ]);
    expect(missing.map(nameOf)).toEqual([]);
    expect(transitions(machine.root).length).toBeGreaterThan(18);
  });
});

function stepOf(name: string): Step {
  const step = steps.find((each) => each.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  return step;
}
