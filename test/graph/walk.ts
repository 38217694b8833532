import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { AnyTransitionDefinition, EventObject } from "xstate";
import type { CauseKind } from "../../src/errors.js";
import type {
  DrainReplacedInput,
  LifeInput,
  ServerPlan,
  SuccessorOutput,
} from "../../src/machines/contract.js";
import { createServerMachine } from "../../src/machines/server.js";
import { stateOf } from "../../src/machines/summary.js";
import { cause, plan as planOfProcess } from "../machines/rig.js";

/** One step of a walk: an event, or time that passes. */
export type Step =
  | { readonly name: string; readonly event: EventObject }
  | { readonly name: string; readonly ms: number };

const start = 1_000_000;
let clock = new SimulatedClock();
const live = { now: 0, most: 0 };
/** Lives beside the one in service: one that comes up, one that takes leave. */
const beside = { now: 0, most: 0 };
export const plan: ServerPlan = { ...planOfProcess, overlaps: true };

function standBeside(signal: AbortSignal): Promise<never> {
  beside.now += 1;
  beside.most = Math.max(beside.most, beside.now);
  signal.addEventListener("abort", () => {
    beside.now -= 1;
  });
  return new Promise(() => {});
}

/** The machine that is walked; one for all walks, so that transitions can be counted by identity. */
export const machine = createServerMachine({ now: () => clock.now(), random: () => 0.5 }).provide({
  actors: {
    connection: fromCallback<EventObject, LifeInput>(() => {
      live.now += 1;
      live.most = Math.max(live.most, live.now);
      return () => {
        live.now -= 1;
      };
    }),
    successor: fromPromise<SuccessorOutput, LifeInput>(({ signal }) => standBeside(signal)),
    drainReplaced: fromPromise<void, DrainReplacedInput>(({ signal }) => standBeside(signal)),
  },
});

const closed = (kind: CauseKind): Step => ({
  name: `closed:${kind}`,
  event: { type: "connection.closed", cause: cause(kind), at: start } as EventObject,
});
const configure = (name: string, changes: Partial<ServerPlan>, renew = false): Step => ({
  name: `configure:${name}`,
  event: { type: "configure", plan: { ...plan, ...changes }, renew } as EventObject,
});
const order = (type: string): Step => ({ name: type, event: { type } });
const done = (id: string, output: unknown): Step => ({
  name: `done:${id}`,
  event: { type: `xstate.done.actor.${id}`, output, actorId: id } as EventObject,
});
const failed = (id: string): Step => ({
  name: `failed:${id}`,
  event: { type: `xstate.error.actor.${id}`, error: new Error("no"), actorId: id } as EventObject,
});

const session = { protocolVersion: "2025-11-25", server: { name: "files", version: "1" }, overlaps: false };

/** All that can happen to a server. */
export const steps: readonly Step[] = [
  ...["start", "wake", "connect", "disconnect", "restart", "retire", "stop"].map(order),
  ...["connection.opened", "tools.changed", "idle.expired"].map(order),
  { name: "session.proven", event: { type: "session.proven", at: start } as EventObject },
  { name: "health.failed", event: { type: "health.failed", cause: cause("unhealthy") } as EventObject },
  closed("crashed"),
  closed("command-not-found"),
  closed("clean-exit"),
  closed("needs-authorization"),
  ...["authorize", "authorized"].map(order),
  {
    name: "unauthorized",
    event: { type: "unauthorized", cause: cause("needs-authorization") } as EventObject,
  },
  configure("same", {}),
  configure("lazy", { lazy: true }),
  configure("renew", {}, true),
  configure("renew:process", { overlaps: false }, true),
  configure("off", { enabled: false }, true),
  configure("held", { held: cause("approval-needed") }, true),
  configure("eager", { restart: "eager", lazy: true }),
  configure("never", { restart: "never" }),
  configure("short-lived", { maxLifetimeMs: 3_600_000 }),
  done("initialize", session),
  { ...done("initialize", { ...session, overlaps: true }), name: "done:initialize:overlaps" },
  done("clear", undefined),
  done("successor", { session, list: { tools: 3, hash: "c" } }),
  {
    ...done("successor", { session: { ...session, overlaps: true }, list: { tools: 3, hash: "c" } }),
    name: "done:successor:overlaps",
  },
  done("drainReplaced", undefined),
  done("list", { tools: 1, hash: "a" }),
  done("refresh", { tools: 2, hash: "b" }),
  done("drain", undefined),
  done("reap", { survivors: [] }),
  { ...done("reap", { survivors: [7] }), name: "done:reap:survivors" },
  ...[
    "connection",
    "initialize",
    "list",
    "refresh",
    "drain",
    "reap",
    "clear",
    "successor",
    "drainReplaced",
  ].map(failed),
  { name: "1 s", ms: 1_000 },
  { name: "1 min", ms: 61_000 },
  { name: "1 h", ms: 3_600_000 },
];

export interface Walked {
  readonly key: string;
  readonly value: string;
  /** The states a host was told, in order, with the connections alive at that time. */
  readonly told: readonly {
    readonly to: string;
    readonly live: number;
    readonly from: string;
    readonly generation: number;
  }[];
  readonly done: boolean;
  readonly mostLive: number;
  /** Lives that came up or took leave beside the one in service, at most at the same time. */
  readonly mostBeside: number;
  readonly state: string;
  /** The steps that change something from here. */
  readonly next: readonly Step[];
}

/** Walks from the start, notes each transition that is taken in `taken`, and says where it ended. */
export function walk(path: readonly Step[], taken: Set<AnyTransitionDefinition>): Walked {
  clock = new SimulatedClock();
  clock.set(start);
  live.now = 0;
  live.most = 0;
  beside.now = 0;
  beside.most = 0;
  const told: Walked["told"][number][] = [];
  const actor = createActor(machine, {
    clock,
    logger: () => {},
    input: { id: "files", name: "Files", plan },
    inspect: (event) => {
      if (event.type !== "@xstate.microstep") return;
      // oxlint-disable-next-line no-underscore-dangle -- xstate's own name for the transitions of a step
      for (const each of event._transitions) taken.add(each);
    },
  });
  actor.on("state", ({ from, to, generation }) => told.push({ from, to, generation, live: live.now }));
  actor.start();
  for (const step of path) {
    if (actor.getSnapshot().status !== "active") break;
    if ("ms" in step) clock.increment(step.ms);
    else actor.send(step.event as Parameters<typeof actor.send>[0]);
  }
  const snapshot = actor.getSnapshot();
  const ended = {
    key: keyOf(snapshot),
    value: JSON.stringify(snapshot.value),
    told,
    done: snapshot.status === "done",
    mostLive: live.most,
    mostBeside: beside.most,
    state: stateOf(snapshot),
    next: steps.filter(
      (step) => "ms" in step || (isSent(snapshot, step.event) && snapshot.can(step.event as never)),
    ),
  };
  actor.stop();
  return ended;
}

/** Two walks that end alike have the same future: all that guards read, without times and counters. */
function keyOf({
  value,
  context: { server },
  children,
}: ReturnType<ReturnType<typeof createActor<typeof machine>>["getSnapshot"]>): string {
  const { intent, wanted, again, probing, dirty, plan: current, ended, readyAt, provenAt } = server;
  return JSON.stringify([
    value,
    intent,
    wanted,
    again,
    probing,
    dirty,
    current,
    ended?.kind,
    readyAt === undefined,
    provenAt === undefined,
    server.history.ends.length,
    server.notBefore > clock.now(),
    server.relist.failures,
    server.started,
    server.session?.overlaps,
    "drainReplaced" in children,
  ]);
}

/** Reports of an actor come only while that actor is there. */
function isSent({ children }: { children: object }, { type }: EventObject): boolean {
  const id = /^xstate\.(?:done|error)\.actor\.(.*)$/.exec(type)?.[1];
  // It is clear when nobody takes leave any more.
  if (id === "clear" && "drainReplaced" in children) return false;
  return id === undefined || id in children;
}
