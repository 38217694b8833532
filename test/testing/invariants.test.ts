import { Subject } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Fact, ServerState } from "../../src/index.js";
import { checkInvariants, watchInvariants } from "../../src/testing/index.js";
import type { InvariantOptions, Rest } from "../../src/testing/index.js";

type Draft = { at?: number } & Record<string, unknown>;

function told(drafts: readonly Draft[]): Fact[] {
  return drafts.map((draft, at) => ({ at: 1000, ...draft, seq: at + 1 }) as unknown as Fact);
}

const started = (call: string, at = 1000): Draft => ({ type: "mcp.call.started", call, at });
const settled = (call: string, at = 1000): Draft => ({ type: "mcp.call.settled", call, at });
const cause = { kind: "start", message: "" };

/** The states in this order, as facts of one server; a new generation begins with each connecting. */
function states(names: readonly (ServerState | "new")[], at = 1000): Draft[] {
  let generation = 0;
  return names.slice(1).map((to, index) => {
    if (to === "connecting") generation++;
    return { type: "mcp.state", id: "a", from: names[index], to, generation, cause, at };
  });
}

function rules(drafts: readonly Draft[], rest: Rest = {}, options: InvariantOptions = {}): string[] {
  return checkInvariants(told(drafts), rest, options).map(({ rule }) => rule);
}

const up: (ServerState | "new")[] = ["idle", "connecting", "initializing", "listing", "ready"];
const down: ServerState[] = ["closing", "deciding", "idle"];

describe("the invariants", () => {
  it("hold for calls and lives that go as they should", () => {
    expect(
      rules([started("1"), ...states([...up, ...down, "connecting", "closing", "deciding"]), settled("1")]),
    ).toEqual([]);
  });

  it("are broken by a call that never settles, settles twice, or starts twice", () => {
    expect(rules([started("1")])).toEqual(["settled-once"]);
    expect(rules([started("1"), settled("1"), settled("1")])).toEqual(["settled-once"]);
    expect(rules([started("1"), settled("1"), started("1"), settled("1")])).toEqual([
      "settled-once",
      "settled-once",
    ]);
  });

  it("are broken by a call that takes longer than its limit and 250 ms", () => {
    const options = { longestCallMs: 1000 };

    expect(rules([started("1", 0), settled("1", 1250)], {}, options)).toEqual([]);
    expect(rules([started("1", 0), settled("1", 1251)], {}, options)).toEqual(["settled-in-time"]);
  });

  it("are broken by a life that begins before the last one ended", () => {
    const second = { type: "mcp.state", id: "a", from: "ready", to: "connecting", generation: 2, cause };

    expect(rules([...states(up), second])).toEqual(["path", "one-life"]);
  });

  it("are broken by a generation that is left out or changes within a life", () => {
    const [first, ...more] = states([...up, ...down, "connecting"]);
    for (const each of more) if (each["to"] === "connecting") each["generation"] = 3;

    expect(rules([first!, ...more])).toEqual(["one-life"]);
    const changed = states(up);
    changed[2]!["generation"] = 2;
    expect(rules(changed)).toEqual(["one-life", "one-life"]);
  });

  it("hold for a life that takes over in service, also after others that did not come up", () => {
    const [first, ...more] = states([
      ...up,
      "replacing",
      "ready",
      "replacing",
      "ready",
      ...down,
      "connecting",
    ]);
    const late = more.slice(6);
    for (const each of late) each["generation"] = 3;
    late.at(-1)!["generation"] = 4;

    expect(rules([first!, ...more])).toEqual([]);
  });

  it("are broken by a number that was there before, and by a life that takes over from outside of service", () => {
    const older = states([...up, "replacing", "ready"]);
    older.at(-1)!["generation"] = 0;
    expect(rules(older)).toEqual(["one-life"]);
    const skipping = states([...up, ...down, "connecting"]);
    skipping.at(-1)!["generation"] = 3;
    expect(rules(skipping)).toEqual(["one-life"]);
    const outside = states(up);
    outside.at(-1)!["generation"] = 2;
    expect(rules(outside)).toEqual(["one-life"]);
  });

  it("are broken by a step that the machine does not have, and by one from another state", () => {
    expect(rules(states(["idle", "connecting", "ready"]))).toEqual(["path"]);
    const torn = { type: "mcp.state", id: "a", from: "closing", to: "deciding", generation: 1, cause };
    expect(rules([...states(up), torn])).toEqual(["path"]);
  });

  it("are broken by facts out of order", () => {
    const [one, two] = told([started("1"), settled("1")]);

    expect(checkInvariants([two!, one!]).map(({ rule }) => rule)).toContain("order");
  });

  it("are broken by a healthy server that comes too late or not at all", () => {
    const rest = { healthy: ["a"], lastFaultAt: 500, recoverWithinMs: 1000 };

    expect(rules(states(up, 1500), rest)).toEqual([]);
    expect(rules(states(up, 1501), rest)).toEqual(["recovers"]);
    expect(rules(states(["idle", "connecting"], 600), rest)).toEqual(["recovers"]);
    // In service all the time, also while the last fault happened.
    expect(rules(states(up, 100), rest)).toEqual([]);
    expect(rules(states([...up, ...down], 100), rest)).toEqual(["recovers"]);
  });

  it("are broken by anything that is left", () => {
    expect(rules([], { left: { timers: 0, processes: 2 } })).toEqual(["nothing-left"]);
  });

  it("can be watched on any stream of facts", () => {
    const events$ = new Subject<Fact>();
    const watch = watchInvariants(events$);
    for (const fact of told([started("1"), started("2"), settled("2")])) events$.next(fact);

    expect(watch.open).toBe(1);
    expect(watch.violations).toEqual([]);
    watch.close();
    expect(events$.observed).toBe(false);
    expect(watch.finish().map(({ message }) => message)).toEqual([
      "call 1, started at 1000, has not settled (last fact 3 at 1000)",
    ]);
  });
});
