import type { SnapshotFrom } from "xstate";
import type { ServerActor, ServerMachine } from "./server.js";
import type { ServerOutput } from "./serverSetup.js";
import { childId, serverOf } from "./supervisorContext.js";
import { supervisorSetup } from "./supervisorSetup.js";

export type SupervisorMachine = ReturnType<typeof createSupervisorMachine>;
export type SupervisorSnapshot = SnapshotFrom<SupervisorMachine>;

/**
 * The life of the whole set as a chart: it owns one server machine per server (child id `server:<id>`), hands orders
 * on, and stops all of them. Pure but for the children it spawns; give the real `orders` by `provide`. Events are
 * `SupervisorEvent`, what it emits is `SupervisorEmitted`; a stopped one gives a `SupervisorOutput`.
 * On `server.added` the child is there (`serverActor`) and has not begun: attach listeners in that handler.
 */
export function createSupervisorMachine(server: ServerMachine) {
  return supervisorSetup(server).createMachine({
    id: "supervisor",
    description: "The life of the whole set of servers.",
    context: { servers: [], running: false, ended: [], forced: [], survivors: [] },
    initial: "idle",
    output: ({ context: { ended, forced, survivors } }) => ({ ended, forced, survivors }),
    on: {
      "server.add": [{ guard: "isLeaving", actions: "addLater" }, { guard: "isKnown" }, { actions: "add" }],
      "server.spawned": { actions: "welcome" },
      "server.remove": { guard: "isKnown", actions: "remove" },
      "server.order": { guard: "isKnown", actions: "handOn" },
      "xstate.done.actor.*": { guard: "isServer", actions: { type: "bury", params: retired } },
      "xstate.error.actor.*": { guard: "isServer", actions: { type: "bury", params: broken } },
    },
    states: {
      idle: {
        description: "Servers can be added; none of them begins.",
        on: { start: "running", stop: "stopping" },
      },
      running: {
        description: "Orders are handed to the servers.",
        entry: ["markRunning", "startAll"],
        exit: "markStopped",
        invoke: {
          id: "orders",
          src: "orders",
          onError: {
            actions: { type: "tellBroken", params: ({ event }) => ({ id: "", error: event.error }) },
          },
        },
        on: {
          stop: "stopping",
          "server.wake": { guard: "isKnown", actions: order("wake") },
          "server.connect": { guard: "isKnown", actions: order("connect") },
          "server.disconnect": { guard: "isKnown", actions: order("disconnect") },
          "server.restart": { guard: "isKnown", actions: order("restart") },
        },
      },
      stopping: {
        description: "Waits until every server is retired, for a bounded time; a second stop forces.",
        entry: "stopAll",
        always: { guard: "isEmpty", target: "stopped" },
        after: { stopLimit: { target: "stopped", actions: "force" } },
        on: {
          stop: { target: "stopped", actions: "force" },
          "server.add": {},
          "server.remove": {},
        },
      },
      stopped: {
        description: "Ended for good. What did not end in time is named in the output.",
        type: "final",
      },
    },
  });
}

/** The machine of one server; undefined when there is none of this id. */
export function serverActor(snapshot: SupervisorSnapshot, id: string): ServerActor | undefined {
  return (snapshot.children as Record<string, ServerActor | undefined>)[childId(id)];
}

function order(type: "wake" | "connect" | "disconnect" | "restart") {
  return {
    type: "order",
    params: ({ event }: { event: { id: string } }) => ({ id: event.id, order: { type } }),
  } as const;
}

function retired({ event }: { event: { actorId: string; output: ServerOutput } }) {
  return { id: serverOf(event.actorId) ?? "", survivors: event.output.survivors, broken: false };
}

function broken({ event }: { event: { actorId: string; error: unknown } }) {
  return { id: serverOf(event.actorId) ?? "", survivors: [], broken: true, error: event.error };
}
