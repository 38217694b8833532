import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { AnyTransitionDefinition, EventObject } from "xstate";
import type { LifeInput } from "../../src/machines/contract.js";
import { createServerMachine } from "../../src/machines/server.js";
import { createSupervisorMachine } from "../../src/machines/supervisor.js";
import type { SupervisorOutput } from "../../src/machines/supervisorContext.js";
import { plan } from "../machines/rig.js";

/** One step of a walk: an event, or time that passes. */
export type Step =
  | { readonly name: string; readonly event: EventObject }
  | { readonly name: string; readonly ms: number };

/** Two servers: one that begins by itself, one that waits for a call. */
const ids = ["a", "b"] as const;
let clock = new SimulatedClock();
let lives: { id: string; at: number }[] = [];
let open: Record<string, number> = {};
let most = 0;
let at = 0;

const server = createServerMachine({ now: () => clock.now(), random: () => 0.5 }).provide({
  actors: {
    connection: fromCallback<EventObject, LifeInput>(({ input: { id } }) => {
      lives.push({ id, at });
      open[id] = (open[id] ?? 0) + 1;
      most = Math.max(most, open[id]);
      return () => {
        open[id] = (open[id] ?? 0) - 1;
      };
    }),
  },
});

/** The machine that is walked; one for all walks, so that transitions can be counted by identity. */
export const machine = createSupervisorMachine(server);

const named = (name: string, event: EventObject): Step => ({ name, event });

/** All that can happen to the whole set. */
export const steps: readonly Step[] = [
  named("start", { type: "start" }),
  named("start:gated", { type: "start", gated: true } as EventObject),
  named("stop", { type: "stop" }),
  { name: "10 s", ms: 10_000 },
  named("failed:orders", { type: "xstate.error.actor.orders", error: new Error("no bus") } as EventObject),
  ...ids.flatMap((id) => [
    named(`add ${id}`, {
      type: "server.add",
      id,
      name: id,
      plan: { ...plan, lazy: id === "b" },
    } as EventObject),
    named(`remove ${id}`, { type: "server.remove", id } as EventObject),
    named(`order ${id}`, { type: "server.order", id, order: { type: "start" } } as EventObject),
    named(`gone ${id}`, {
      type: `xstate.done.actor.server:${id}`,
      actorId: `server:${id}`,
      output: { id, survivors: [] },
    } as EventObject),
    named(`broken ${id}`, {
      type: `xstate.error.actor.server:${id}`,
      actorId: `server:${id}`,
      error: new Error("a fault of ours"),
    } as EventObject),
  ]),
  ...["wake", "connect", "disconnect", "restart"].map((order) =>
    named(`${order} b`, { type: `server.${order}`, id: "b" } as EventObject),
  ),
];

export interface Walked {
  readonly key: string;
  readonly state: string;
  readonly done: boolean;
  readonly output: SupervisorOutput | undefined;
  /** Ids that are known, and those that have a machine. */
  readonly known: readonly string[];
  readonly machines: readonly string[];
  /** Each life that began, with the place of the step that began it. */
  readonly lives: readonly { readonly id: string; readonly at: number }[];
  /** Lives of one server at the same time, at most. */
  readonly mostLives: number;
  /** The steps that can be taken from here. */
  readonly next: readonly Step[];
}

/** Walks from the start, notes each transition that is taken in `taken`, and says where it ended. */
export function walk(path: readonly Step[], taken: Set<AnyTransitionDefinition>): Walked {
  clock = new SimulatedClock();
  [lives, open, most, at] = [[], {}, 0, 0];
  const actor = createActor(machine, {
    clock,
    logger: () => {},
    inspect: (event) => {
      if (event.type !== "@xstate.microstep") return;
      // oxlint-disable-next-line no-underscore-dangle -- xstate's own name for the transitions of a step
      for (const each of event._transitions) taken.add(each);
    },
  });
  actor.start();
  for (const [place, step] of path.entries()) {
    if (actor.getSnapshot().status !== "active") break;
    at = place;
    if ("ms" in step) clock.increment(step.ms);
    else actor.send(step.event as Parameters<typeof actor.send>[0]);
  }
  const { value, context, children, status, output } = actor.getSnapshot();
  const machines = Object.keys(children).filter((id) => id.startsWith("server:"));
  const { servers, running, ended, forced } = context;
  const walked: Walked = {
    key: JSON.stringify([value, servers, running, ended.length > 0, forced, machines, open]),
    state: value,
    done: status === "done",
    output,
    known: servers.map(({ id }) => id),
    machines: machines.map((id) => id.slice("server:".length)),
    lives,
    mostLives: most,
    next: steps.filter((step) => "ms" in step || isSent(children, step.event)),
  };
  actor.stop();
  return walked;
}

/** Reports of an actor come only while that actor is there. */
function isSent(children: object, { type }: EventObject): boolean {
  const id = /^xstate\.(?:done|error)\.actor\.(.*)$/.exec(type)?.[1];
  return id === undefined || id in children;
}
