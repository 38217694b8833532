import { assign, emit, enqueueActions, fromCallback, setup } from "xstate";
import type { EventObject } from "xstate";
import type { ServerInput, ServerOrder } from "./contract.js";
import type { ServerMachine } from "./server.js";
import { childId, find, serverOf, withMember, withoutMember } from "./supervisorContext.js";
import type {
  SupervisorContext,
  SupervisorEmitted,
  SupervisorEvent,
  SupervisorOutput,
} from "./supervisorContext.js";

/** 50 servers stop within this time, or are forced. */
const stopLimitMs = 8_000;

const startIt = { type: "start" } as const satisfies ServerOrder;

export interface ServerEnd {
  readonly id: string;
  readonly survivors: readonly number[];
  readonly broken: boolean;
  readonly error?: unknown;
}

/** The code behind the names in the supervisor's chart. */
export function supervisorSetup(server: ServerMachine) {
  return setup({
    types: {
      context: {} as SupervisorContext,
      events: {} as SupervisorEvent,
      emitted: {} as SupervisorEmitted,
      output: {} as SupervisorOutput,
    },
    actors: { server, orders: fromCallback<EventObject>(() => undefined) },
    delays: { stopLimit: stopLimitMs },
    guards: {
      isKnown: ({ context, event }) => "id" in event && find(context, event.id) !== undefined,
      isLeaving: ({ context, event }) => "id" in event && find(context, event.id)?.leaving === true,
      isServer: ({ event }) => "actorId" in event && serverOf(event.actorId) !== undefined,
      isEmpty: ({ context }) => context.servers.length === 0,
    },
    actions: {
      markRunning: assign(({ event }) => ({ running: !isGated(event) })),
      markStopped: assign({ running: false }),
      add: enqueueActions(({ context, event, enqueue, self }) => {
        if (event.type !== "server.add") return;
        enqueue.assign(withMember(context, { id: event.id, leaving: false }));
        enqueue.spawnChild("server", { id: childId(event.id), input: inputOf(event) });
        // To itself, so that the snapshot holds the child when it is told about.
        enqueue.sendTo(self, { type: "server.spawned", id: event.id });
      }),
      addLater: assign(({ context, event }) =>
        event.type === "server.add"
          ? withMember(context, { id: event.id, leaving: true, next: inputOf(event) })
          : {},
      ),
      welcome: enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== "server.spawned") return;
        enqueue.emit({ type: "server.added", id: event.id });
        if (context.running) enqueue.sendTo(childId(event.id), startIt);
      }),
      remove: enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== "server.remove") return;
        enqueue.assign(withMember(context, { id: event.id, leaving: true }));
        enqueue.sendTo(childId(event.id), { type: "retire" } satisfies ServerOrder);
      }),
      handOn: enqueueActions(({ event, enqueue }) => {
        if (event.type === "server.order") enqueue.sendTo(childId(event.id), event.order);
      }),
      order: enqueueActions(({ enqueue }, { id, order }: { id: string; order: ServerOrder }) => {
        enqueue.sendTo(childId(id), order);
      }),
      startAll: enqueueActions(({ context, event, enqueue }) => {
        if (isGated(event)) return;
        for (const { id } of context.servers) enqueue.sendTo(childId(id), startIt);
      }),
      stopAll: enqueueActions(({ context, enqueue }) => {
        enqueue.assign({ servers: context.servers.map(({ id }) => ({ id, leaving: true })) });
        for (const { id } of context.servers.toReversed()) {
          enqueue.sendTo(childId(id), { type: "stop" } satisfies ServerOrder);
        }
      }),
      // The child that went away: xstate keeps it in the snapshot until it is stopped.
      bury: enqueueActions(({ context, enqueue, self }, end: ServerEnd) => {
        const { id, survivors, broken } = end;
        const next = find(context, id)?.next;
        enqueue.stopChild(childId(id));
        enqueue.assign({
          servers: withoutMember(context, id),
          ended: broken ? context.ended : [...context.ended, id],
          survivors: [...context.survivors, ...survivors.map((pid) => ({ id, pid }))],
        });
        enqueue.emit(
          broken
            ? { type: "server.broken", id, error: end.error }
            : { type: "server.removed", id, survivors },
        );
        if (next !== undefined) enqueue.sendTo(self, { type: "server.add", ...next });
      }),
      force: enqueueActions(({ context, enqueue }) => {
        const left = context.servers.map(({ id }) => id);
        for (const id of left) enqueue.stopChild(childId(id));
        enqueue.assign({ servers: [], forced: left });
      }),
      tellBroken: emit((_, { id, error }: { id: string; error: unknown }) => ({
        type: "server.broken" as const,
        id,
        error,
      })),
    },
  });
}

function inputOf({ id, name, plan }: ServerInput): ServerInput {
  return { id, name, plan };
}

function isGated(event: SupervisorEvent): boolean {
  return event.type === "start" && event.gated === true;
}
