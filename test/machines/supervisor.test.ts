import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { EventObject } from "xstate";
import { describe, expect, it } from "vitest";
import type { Order } from "../../src/events.js";
import type { LifeInput, ReapOutput } from "../../src/machines/contract.js";
import { createServerMachine } from "../../src/machines/server.js";
import { stateOf } from "../../src/machines/summary.js";
import { createSupervisorMachine, serverActor } from "../../src/machines/supervisor.js";
import type { SupervisorEmitted, SupervisorEvent } from "../../src/machines/supervisorContext.js";
import { plan } from "./rig.js";

const added = (id: string): SupervisorEvent => ({ type: "server.add", id, name: id, plan });

/** A supervisor on a simulated clock. `reap` answers for each server; undefined never settles. */
function fleet({ reap = () => [], orders }: Options = {}) {
  const clock = new SimulatedClock();
  const told: SupervisorEmitted[] = [];
  const facts: string[] = [];
  const gone: string[] = [];
  const server = createServerMachine({ now: () => clock.now(), random: () => 0.5 }).provide({
    actors: {
      connection: fromCallback<EventObject, LifeInput>(({ input }) => {
        if (input.id === "broken") throw new Error("a fault of ours");
        return () => void gone.push(input.id);
      }),
      reap: fromPromise<ReapOutput, LifeInput>(({ input }) => {
        const survivors = reap(input.id);
        return survivors === undefined ? new Promise(() => {}) : Promise.resolve({ survivors });
      }),
    },
  });
  const machine = createSupervisorMachine(server).provide({
    actors: {
      orders: fromCallback<EventObject>(({ sendBack }) => void orders?.((order) => sendBack(order))),
    },
  });
  const actor = createActor(machine, { clock, logger: () => {} });
  actor.on("server.added", ({ id }) => {
    told.push({ type: "server.added", id });
    // The promise of this event: the child is there, and has told nothing of its start yet.
    const child = serverActor(actor.getSnapshot(), id);
    facts.push(`${id} ${child === undefined ? "missing" : stateOf(child.getSnapshot())}`);
    child?.on("state", ({ to }) => facts.push(`${id} ${to}`));
  });
  actor.on("server.removed", (event) => told.push(event));
  actor.on("server.broken", (event) => told.push(event));
  actor.start();
  const stateOfServer = (id: string) => {
    const child = serverActor(actor.getSnapshot(), id);
    return child && stateOf(child.getSnapshot());
  };
  return { actor, clock, told, facts, gone, stateOfServer };
}

interface Options {
  reap?: (id: string) => number[] | undefined;
  orders?: (listen: (order: Order) => void) => unknown;
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

describe("the supervisor", () => {
  it("lets listeners in before a server begins, whenever it is added", () => {
    const { actor, facts } = fleet();

    actor.send(added("a"));
    actor.send({ type: "start" });
    actor.send(added("b"));

    expect(facts).toEqual(["a idle", "a connecting", "b idle", "b connecting"]);
  });

  it("ignores a second server of the same id and orders to unknown ones", () => {
    const { actor, told } = fleet();
    actor.send(added("a"));
    actor.send(added("a"));

    actor.send({ type: "server.order", id: "nobody", order: { type: "connect" } });
    actor.send({ type: "server.remove", id: "nobody" });

    expect(told).toEqual([{ type: "server.added", id: "a" }]);
    expect(Object.keys(actor.getSnapshot().children)).toEqual(["server:a"]);
  });

  it("hands the orders of the bus to the servers, only while it runs", () => {
    const bus: ((order: Order) => void)[] = [];
    const publish = (order: Order) => bus[0]?.(order);
    const { actor, stateOfServer } = fleet({ orders: (listen) => bus.push(listen) });
    actor.send({ ...added("a"), plan: { ...plan, lazy: true } } as SupervisorEvent);
    actor.send({ type: "start" });
    expect(stateOfServer("a")).toBe("idle");

    publish({ type: "server.wake", id: "a" });
    expect(stateOfServer("a")).toBe("connecting");
    publish({ type: "server.disconnect", id: "a" });
    expect(stateOfServer("a")).toBe("closing");
    publish({ type: "server.connect", id: "a" });
    publish({ type: "server.restart", id: "a" });

    expect(stateOfServer("a")).toBe("closing");
  });

  it("retires a removed server and forgets its machine", async () => {
    const { actor, told } = fleet();
    actor.send(added("a"));
    actor.send({ type: "start" });

    actor.send({ type: "server.remove", id: "a" });
    await settle();

    expect(told.at(-1)).toEqual({ type: "server.removed", id: "a", survivors: [] });
    expect(Object.keys(actor.getSnapshot().children)).toEqual(["orders"]);
  });

  it("begins a server that is added again only when the old one is gone", async () => {
    const { actor, facts } = fleet();
    actor.send(added("a"));
    actor.send({ type: "start" });
    actor.send({ type: "server.remove", id: "a" });
    actor.send(added("a"));
    expect(facts.at(-1)).toBe("a closing");

    await settle();

    expect(facts).toEqual([
      "a idle",
      "a connecting",
      "a closing",
      "a deciding",
      "a retired",
      "a idle",
      "a connecting",
    ]);
  });

  it("stops all of them, the last one first, and ends when they are retired", async () => {
    const { actor, gone } = fleet({ reap: (id) => (id === "b" ? [42] : []) });
    for (const id of ["a", "b", "c"]) actor.send(added(id));
    actor.send({ type: "start" });

    actor.send({ type: "stop" });
    expect(gone).toEqual(["c", "b", "a"]);
    actor.send(added("d"));
    await settle();

    expect(actor.getSnapshot().output).toEqual({
      ended: ["c", "b", "a"],
      forced: [],
      survivors: [{ id: "b", pid: 42 }],
    });
  });

  it("is stopped at once when there is nothing to stop", () => {
    const { actor } = fleet();

    actor.send({ type: "stop" });

    expect(actor.getSnapshot().output).toEqual({ ended: [], forced: [], survivors: [] });
  });

  it.each(["after 8 s", "by a second stop"])("names the servers that had to be forced %s", async (how) => {
    const { actor, clock } = fleet({ reap: (id) => (id === "a" ? undefined : []) });
    for (const id of ["a", "b"]) actor.send(added(id));
    actor.send({ type: "start" });
    actor.send({ type: "stop" });
    await settle();
    clock.increment(7_999);
    expect(actor.getSnapshot().value).toBe("stopping");

    if (how === "after 8 s") clock.increment(1);
    else actor.send({ type: "stop" });

    expect(actor.getSnapshot().output).toEqual({ ended: ["b"], forced: ["a"], survivors: [] });
  });

  it("survives a connection actor that throws: it is the end of one life, not of the fleet", async () => {
    const { actor, stateOfServer } = fleet();
    actor.send(added("broken"));
    actor.send(added("a"));

    actor.send({ type: "start" });
    await settle();

    expect(actor.getSnapshot().status).toBe("active");
    expect(stateOfServer("broken")).toBe("reconnecting");
    expect(stateOfServer("a")).toBe("connecting");
  });
});

describe("faults of ours", () => {
  it("tells of a server machine that broke and goes on with the others", () => {
    const clock = new SimulatedClock();
    let faulty = false;
    const server = createServerMachine({
      now: () => {
        if (faulty) throw new Error("no clock");
        return clock.now();
      },
      random: () => 0,
    });
    const actor = createActor(createSupervisorMachine(server), { clock, logger: () => {} });
    const told: SupervisorEmitted[] = [];
    actor.on("server.broken", (event) => told.push(event));
    actor.start();
    actor.send(added("a"));
    actor.send({ type: "start" });

    faulty = true;
    actor.send({ type: "server.order", id: "a", order: { type: "disconnect" } });
    faulty = false;
    actor.send(added("b"));

    expect(told).toEqual([{ type: "server.broken", id: "a", error: new Error("no clock") }]);
    expect(Object.keys(actor.getSnapshot().children)).toEqual(["orders", "server:b"]);
  });

  it("tells of a source of orders that broke and goes on", () => {
    const server = createServerMachine({ now: () => 0, random: () => 0 });
    const machine = createSupervisorMachine(server).provide({
      actors: {
        orders: fromCallback<EventObject>(() => {
          throw new Error("no bus");
        }),
      },
    });
    const actor = createActor(machine, { logger: () => {} });
    const told: SupervisorEmitted[] = [];
    actor.on("server.broken", (event) => told.push(event));

    actor.start();
    actor.send({ type: "start" });

    expect(told).toEqual([{ type: "server.broken", id: "", error: new Error("no bus") }]);
    expect(actor.getSnapshot().value).toBe("running");
  });
});
