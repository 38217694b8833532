import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { EventObject } from "xstate";
import { ConnectError } from "../../src/errors.js";
import type { Cause, CauseKind } from "../../src/errors.js";
import type {
  DrainReplacedInput,
  InitializeOutput,
  LifeInput,
  ListOutput,
  ReapOutput,
  ServerEvent,
  ServerPlan,
  SuccessorOutput,
} from "../../src/machines/contract.js";
import { createServerMachine } from "../../src/machines/server.js";
import type { ServerEmitted } from "../../src/machines/serverContext.js";
import { stateOf, summary } from "../../src/machines/summary.js";

export const plan: ServerPlan = {
  enabled: true,
  lazy: false,
  restart: "lazy",
  connectTimeoutMs: 20_000,
  drainMs: 10_000,
  overlaps: false,
  remote: false,
};

export function cause(kind: CauseKind, more: Partial<Cause> = {}): Cause {
  return { kind, message: `server "Files": ${kind}`, ...more };
}

interface Work<T> {
  readonly input: LifeInput | DrainReplacedInput;
  readonly aborted: boolean;
  done(output: T): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** One server machine on a simulated clock; its actors are worked by hand. */
export function rig(given: Partial<ServerPlan> = {}, random: () => number = () => 0.5) {
  const clock = new SimulatedClock();
  clock.set(1_000_000);
  const told: ServerEmitted[] = [];
  const work = {
    initialize: [] as Work<InitializeOutput>[],
    list: [] as Work<ListOutput>[],
    drain: [] as Work<void>[],
    reap: [] as Work<ReapOutput>[],
    clear: [] as Work<void>[],
    successor: [] as Work<SuccessorOutput>[],
    drainReplaced: [] as Work<void>[],
  };
  /** Start times of the lives, and how many connections are open at the same time, now and at most. */
  const starts: number[] = [];
  const live = { now: 0, most: 0 };

  const byHand = <T, I extends LifeInput = LifeInput>(kept: Work<T>[]) =>
    fromPromise<T, I>(
      ({ input, signal }) =>
        new Promise<T>((resolve, reject) => {
          kept.push({
            input,
            get aborted() {
              return signal.aborted;
            },
            done(output) {
              resolve(output);
              return settle();
            },
            fail(error) {
              reject(error instanceof Error ? error : new Error(String(error)));
              return settle();
            },
          });
        }),
    );
  const machine = createServerMachine({ now: () => clock.now(), random }).provide({
    actors: {
      connection: fromCallback<EventObject, LifeInput>(() => {
        starts.push(clock.now());
        live.now += 1;
        live.most = Math.max(live.most, live.now);
        return () => {
          live.now -= 1;
        };
      }),
      initialize: byHand(work.initialize),
      list: byHand(work.list),
      drain: byHand(work.drain),
      reap: byHand(work.reap),
      clear: byHand(work.clear),
      successor: byHand(work.successor),
      drainReplaced: byHand<void, DrainReplacedInput>(work.drainReplaced),
    },
  });
  const input = { id: "files", name: "Files", plan: { ...plan, ...given } };
  const actor = createActor(machine, { clock, input, logger: () => {} });
  for (const type of ["state", "note", "refused"] as const) actor.on(type, (event) => told.push(event));
  // No error observer: a machine that breaks ends the test run, as it should.
  actor.start();

  const send = (event: ServerEvent) => actor.send(event);
  const session = {
    protocolVersion: "2025-11-25",
    server: { name: "files", version: "1.0.0" },
    overlaps: true,
  };
  const it = {
    actor,
    clock,
    told,
    work,
    starts,
    live,
    send,
    state: () => stateOf(actor.getSnapshot()),
    summary: () => summary(actor.getSnapshot()),
    has: (tag: "usable" | "terminal" | "resting") => actor.getSnapshot().hasTag(tag),
    path: () => told.flatMap((each) => (each.type === "state" ? [each.to] : [])),
    last: () => told.findLast((each) => each.type === "state"),
    notes: () => told.flatMap((each) => (each.type === "note" ? [each.message] : [])),
    refusals: () => told.filter((each) => each.type === "refused"),
    pass: (ms: number) => clock.increment(ms),
    drop: (why: Cause) => send({ type: "connection.closed", cause: why, at: clock.now() }),
    initialize: () => work.initialize.at(-1)?.done(session),
    list: (tools = 3, hash = "a") => work.list.at(-1)?.done({ tools, hash }),
    /** The new life is ready beside the old one. */
    succeed: (list: ListOutput = { tools: 5, hash: "b" }) => work.successor.at(-1)?.done({ session, list }),
    reap: (survivors: readonly number[] = []) => work.reap.at(-1)?.done({ survivors }),
    /** From connecting to ready. */
    async serve() {
      send({ type: "connection.opened" });
      await it.initialize();
      await it.list();
    },
    /** Until it is closed for this reason and nothing is left. */
    async die(why: Cause) {
      it.drop(why);
      await it.reap();
    },
  };
  return it;
}

export function refusedWith(why: Cause): ConnectError {
  return new ConnectError(why);
}

/** Lets settled promises reach the machine. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
}
