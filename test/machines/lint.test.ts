import { createActor, SimulatedClock } from "xstate";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { describe, expect, it } from "vitest";
import { createServerMachine } from "../../src/machines/server.js";
import { createSupervisorMachine } from "../../src/machines/supervisor.js";
import { plan } from "./rig.js";

const server = createServerMachine({ now: () => 0, random: () => 0.5 });
const machines: [string, AnyStateMachine, unknown][] = [
  ["server", server, { id: "files", name: "Files", plan }],
  ["supervisor", createSupervisorMachine(server), undefined],
];

function nodes(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((each) => nodes(each))];
}

/** Each `{ type }` or name of this kind anywhere in a config. */
function named(config: unknown, key: string): string[] {
  if (config === null || typeof config !== "object") return [];
  return Object.entries(config).flatMap(([name, value]) =>
    name === key ? [value].flat().map(nameOf) : named(value, key),
  );
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value !== null && typeof value === "object" && "type" in value) return String(value.type);
  return `inline ${typeof value}`;
}

// What compiles and yet melts at run time: a misspelled delay fires at once, targets are not checked.
describe.each(machines)("the %s machine", (_, machine, input) => {
  const all = nodes(machine.root);
  const { actions, actors, delays, guards } = machine.implementations;

  it("names only delays that exist", () => {
    const used = all.flatMap((node) => node.after.map(({ delay }) => String(delay)));

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !(name in delays))).toEqual([]);
    expect(Object.keys(delays).filter((name) => !used.includes(name))).toEqual([]);
  });

  it("names only guards, actions and actors that exist, and uses all of them", () => {
    const usedGuards = named(machine.config, "guard");
    const usedActions = ["actions", "entry", "exit"].flatMap((key) => named(machine.config, key));
    const usedActors = all.flatMap((node) => node.invoke.map(({ src }) => nameOf(src)));

    expect(usedGuards.filter((name) => !(name in guards))).toEqual([]);
    expect(usedActions.filter((name) => !(name in actions))).toEqual([]);
    expect(usedActors.filter((name) => !(name in actors))).toEqual([]);
    expect(Object.keys(guards).filter((name) => !usedGuards.includes(name))).toEqual([]);
    expect(Object.keys(actions).filter((name) => !usedActions.includes(name))).toEqual([]);
  });

  it("describes every state", () => {
    expect(all.filter((node) => (node.description ?? "").length < 15).map(({ id }) => id)).toEqual([]);
  });

  it("gives every invoke an id of its own, and handles its error", () => {
    const invokes = all.flatMap((node) => node.invoke.map((invoke) => ({ node, id: invoke.id })));
    const ids = invokes.map(({ id }) => id);

    expect(ids.filter((id) => id.includes("."))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { node, id } of invokes) {
      expect(Object.keys(node.transitions.size ? Object.fromEntries(node.transitions) : {})).toContain(
        `xstate.error.actor.${id}`,
      );
    }
  });

  it("has no bare wildcard, which would swallow errors of children", () => {
    expect(all.flatMap((node) => [...node.transitions.keys()]).filter((event) => event === "*")).toEqual([]);
  });

  it("resolves every target and initial state, and starts", () => {
    for (const node of all) {
      for (const each of [...node.transitions.values()].flat()) expect(each.target).not.toEqual([undefined]);
    }
    for (const node of all.filter(({ type }) => type === "compound")) {
      expect(node.initial.target).toHaveLength(1);
    }
    const actor = createActor(machine, { input, clock: new SimulatedClock(), logger: () => {} } as never);
    actor.start();

    expect(actor.getSnapshot().status).toBe("active");
    actor.stop();
  });
});
