import type { AnyStateNode, AnyTransitionDefinition } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { beforeAll, describe, expect, it } from "vitest";
import { serverPaths } from "../../src/machines/paths.js";
import { nameOf, nodes, transitions } from "./transitions.js";
import { machine, plan, steps, walk } from "./walk.js";
import type { Step, Walked } from "./walk.js";

/** Every step is tried in up to this many different situations of each state of the chart. */
const perState = 8;

const toReady = ["start", "connection.opened", "done:initialize", "done:list"];
const toOverlapping = ["start", "connection.opened", "done:initialize:overlaps", "done:list"];
const crash = ["closed:crashed", "done:reap", "1 min"];
/** Where the search begins: the start, and situations that take many steps to reach. */
const beginnings = [
  [],
  toReady,
  ["configure:eager", "wake", ...crash, ...crash, ...crash, ...crash, ...crash],
  [...toReady.slice(0, 3), "tools.changed"],
  ["configure:short-lived", ...toReady],
  ["configure:eager", "wake", ...toReady.slice(1), "closed:crashed", "done:reap"],
  [...toReady, "closed:crashed", "done:reap"],
  [
    ...toReady,
    "tools.changed",
    "1 s",
    "failed:refresh",
    "1 s",
    "failed:refresh",
    "1 min",
    "failed:refresh",
    "1 min",
  ],
  [...toReady, "session.proven", "1 min", "closed:crashed", "done:reap"],
  ["configure:lazy", "start"],
  [...toReady, "closed:needs-authorization", "done:reap"],
  [...toReady, "closed:needs-authorization", "done:reap", "authorize"],
  [...toOverlapping, "restart", "done:clear"],
  [...toOverlapping, "tools.changed", "restart", "done:clear"],
  [...toOverlapping, "tools.changed", "restart"],
  [...toOverlapping, "tools.changed", "1 s", "restart", "done:clear", "failed:successor"],
  [...toOverlapping, "restart", "done:clear", "done:successor:overlaps", "restart"],
].map((names) => names.map(stepOf));

const taken = new Set<AnyTransitionDefinition>();
const walks: { path: readonly Step[]; walked: Walked }[] = [];
const exits = new Map<string, Set<string>>();

beforeAll(() => {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const queue: { path: readonly Step[]; from: Walked }[] = [];
  const visit = (path: readonly Step[]): Walked => {
    const walked = walk(path, taken);
    walks.push({ path, walked });
    const count = counts.get(walked.value) ?? 0;
    if (!seen.has(walked.key) && !walked.done && count < perState) {
      seen.add(walked.key);
      counts.set(walked.value, count + 1);
      queue.push({ path, from: walked });
    }
    return walked;
  };
  for (const path of beginnings) visit(path);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const ways = exits.get(at.from.state) ?? new Set<string>();
    exits.set(at.from.state, ways);
    for (const step of at.from.next) ways.add(visit([...at.path, step]).state);
  }
});

function stepOf(name: string): Step {
  const step = steps.find((each) => each.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  return step;
}

/** The first walk that breaks a rule, by the names of its steps: one line that replays it. */
function broken(rule: (walked: Walked) => boolean): string[] | undefined {
  return walks.find(({ walked }) => !rule(walked))?.path.map(({ name }) => name);
}

const inLife = new Set([
  "connecting",
  "initializing",
  "listing",
  "ready",
  "refreshing",
  "replacing",
  "draining",
]);

describe("on all paths of the server machine", () => {
  it("there are never two connections at the same time", () => {
    expect(walks.length).toBeGreaterThan(2_000);
    expect(broken(({ mostLive }) => mostLive <= 1)).toBeUndefined();
  });

  it("there is at most one more life beside the one in service", () => {
    expect(walks.some(({ walked }) => walked.mostBeside === 1)).toBe(true);
    expect(broken(({ mostBeside }) => mostBeside <= 1)).toBeUndefined();
  });

  it("a life is replaced in service only by a newer one, and never by two", () => {
    expect(
      broken(({ told }) =>
        told.every(({ from, generation }, i) => {
          const before = told[i - 1]?.generation ?? 0;
          return from === "replacing"
            ? generation >= before
            : generation === before || told[i]?.to === "connecting";
        }),
      ),
    ).toBeUndefined();
  });

  it("there is a connection in each state of a life, and none in any other", () => {
    expect(
      broken(({ told }) => told.every(({ to, live }) => live === (inLife.has(to) ? 1 : 0))),
    ).toBeUndefined();
  });

  it("every way out of a life goes through closing", () => {
    expect(
      broken(({ told }) =>
        told.every(({ from, to }) => !inLife.has(from) || inLife.has(to) || to === "closing"),
      ),
    ).toBeUndefined();
  });

  it("every way into a life begins with connecting", () => {
    expect(
      broken(({ told }) =>
        told.every(({ from, to }) => inLife.has(from) || !inLife.has(to) || to === "connecting"),
      ),
    ).toBeUndefined();
  });

  it("ready comes from listing, refreshing or replacing only", () => {
    expect(
      broken(({ told }) =>
        told.every(({ from, to }) => to !== "ready" || ["listing", "refreshing", "replacing"].includes(from)),
      ),
    ).toBeUndefined();
  });

  it("retired is the end, and the only one", () => {
    expect(broken(({ told }) => told.every(({ from }) => from !== "retired"))).toBeUndefined();
    expect(broken(({ done, state }) => done === (state === "retired"))).toBeUndefined();
  });

  it("every change is told once, from where the last one led", () => {
    expect(
      broken(({ told }) =>
        told.every(({ from, to }, i) => from === (told[i - 1]?.to ?? "new") && from !== to),
      ),
    ).toBeUndefined();
  });

  it("every state but retired has an exit, and no host ever sees it rest in deciding", () => {
    const states = [...exits.keys()].toSorted();

    expect(states).toEqual([
      "authorizing",
      "closing",
      "connecting",
      "disabled",
      "draining",
      "idle",
      "initializing",
      "listing",
      "parked",
      "ready",
      "reconnecting",
      "refreshing",
      "replacing",
      "stuck",
    ]);
    for (const [state, ways] of exits) expect([...ways].some((way) => way !== state)).toBe(true);
  });

  it("takes exactly the steps between states that the engine tells its testers", () => {
    const ways: Record<string, string[]> = {};
    for (const { from, to } of walks.flatMap(({ walked }) => walked.told)) {
      const known = (ways[from] ??= []);
      if (!known.includes(to)) known.push(to);
    }
    for (const known of Object.values(ways)) known.sort();

    expect({ ...ways, retired: [] }).toEqual(serverPaths);
  });

  it("reaches every state", () => {
    const reached = new Set([...taken].flatMap((each) => (each.target ?? []).map(({ id }) => id)));
    const missing = nodes(machine.root).filter(
      (node) =>
        node.type !== "compound" && ![...reached].some((id) => id === node.id || isInitialOf(node, reached)),
    );

    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it("takes every transition, each branch of each guard", () => {
    const missing = transitions(machine.root).filter((each) => !taken.has(each));

    expect(missing.map(nameOf)).toEqual([]);
    expect(transitions(machine.root).length).toBeGreaterThan(90);
  });

  it("agrees with the shortest paths that xstate finds", () => {
    const paths = getShortestPaths(machine, {
      input: walkInput,
      events: steps.flatMap((step) => ("event" in step ? [step.event as never] : [])),
      serializeState: ({ value }) => JSON.stringify(value),
      limit: 20_000,
    });
    const reached = new Set(paths.map(({ state }) => JSON.stringify(state.value)));

    expect(reached).toContain('{"alive":{"serving":{"ready":"calm"}}}');
    expect(reached).toContain('"retired"');
    for (const { steps: way, state } of paths) {
      if (!state.matches({ alive: { serving: "ready" } })) continue;
      expect(way.map(({ state: passed }) => JSON.stringify(passed.value))).toContain(
        '{"alive":{"starting":"listing"}}',
      );
    }
  });
});

const walkInput = {
  id: "files",
  name: "Files",
  plan,
} as const;

/** A state that is entered because it is the initial one of an entered parent. */
function isInitialOf(node: AnyStateNode, reached: Set<string>): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  const isInitial = (parent.initial.target ?? []).some(({ id }: { id: string }) => id === node.id);
  return isInitial && (parent.parent === undefined || reached.has(parent.id) || isInitialOf(parent, reached));
}
