import { assign, emit, enqueueActions, fromCallback, fromPromise, setup, stopChild } from "xstate";
import type { EventObject } from "xstate";
import type { Cause, CauseKind } from "../errors.js";
import type { ServerState } from "../events.js";
import { clampDelay, maxDelayMs } from "../policy/backoff.js";
import { becameNoisy, listFailed, noisy, relistLimits } from "../policy/relist.js";
import { defaultBudget } from "../policy/restart.js";
import type {
  FarewellInput,
  InitializeOutput,
  LifeInput,
  ListOutput,
  ReapOutput,
  ServerEvent,
  ServerInput,
  SuccessorOutput,
} from "./contract.js";
import { decide } from "./decide.js";
import { causeOf, rolledBack } from "./messages.js";
import {
  beginsByItself,
  ending,
  forgetting,
  isStableNow,
  mayBegin,
  mayOverlap,
  newLife,
  newSuccessor,
  stillDirty,
  waitMs,
  withChange,
  withTools,
  probesByItself,
} from "./serverContext.js";
import type { Destination, ServerContext, ServerEmitted } from "./serverContext.js";

/** Where a server machine gets time (epoch ms) and chance (in [0, 1)) from. */
export interface TimeAndChance {
  readonly now: () => number;
  readonly random: () => number;
}

/** What a retired server leaves: processes that could not be ended. */
export interface ServerOutput {
  readonly id: string;
  readonly survivors: readonly number[];
}

export type ServerSetup = ReturnType<typeof serverSetup>;

type Reason = { kind: CauseKind } | { cause: Cause };

/** An eager parked server tries by itself so often; a stuck one looks again so often; a reap may take so long. */
export const probeEveryMs = 300_000;
const stuckRetryMs = 60_000;
const reapLimitMs = 30_000;

const never = <T>() => fromPromise<T, LifeInput>(() => new Promise<T>(() => {}));

/** The code behind the names in the chart: each guard, action and delay is one line over a pure function. */
export function serverSetup({ now, random }: TimeAndChance) {
  return setup({
    types: {
      context: {} as ServerContext,
      events: {} as ServerEvent,
      input: {} as ServerInput,
      output: {} as ServerOutput,
      emitted: {} as ServerEmitted,
      tags: {} as "usable" | "terminal" | "resting",
    },
    actors: {
      connection: fromCallback<EventObject, LifeInput>(() => undefined),
      initialize: never<InitializeOutput>(),
      list: never<ListOutput>(),
      clear: never<void>(),
      successor: never<SuccessorOutput>(),
      farewell: fromPromise<void, FarewellInput>(() => new Promise<void>(() => {})),
      drain: never<void>(),
      reap: never<ReapOutput>(),
    },
    delays: {
      connectDeadline: ({ context }) => clampDelay(context.plan.connectTimeoutMs),
      refreshLimit: ({ context }) => clampDelay(context.plan.connectTimeoutMs),
      relistWait: ({ context }) => clampDelay(context.relist.dueAt - now()),
      stableTime: defaultBudget.stableMs,
      lifetime: ({ context }) => clampDelay(context.plan.maxLifetimeMs ?? maxDelayMs),
      clearLimit: ({ context }) => clampDelay(context.plan.drainMs + reapLimitMs),
      drainLimit: ({ context }) => clampDelay(context.plan.drainMs),
      reapLimit: reapLimitMs,
      stuckRetry: stuckRetryMs,
      retryWait: ({ context }) => waitMs(context, now()),
      probeEvery: probeEveryMs,
    },
    guards: {
      mayBegin: ({ context }) => mayBegin(context.plan),
      startsByItself: ({ context }) => mayBegin(context.plan) && !context.plan.lazy,
      mustWait: ({ context }) => waitMs(context, now()) > 0,
      mayProbe: ({ context }) => mayBegin(context.plan) && waitMs(context, now()) === 0,
      probesByItself: ({ context }) => probesByItself(context),
      planForbids: ({ event }) => event.type === "configure" && !mayBegin(event.plan),
      planRenews: ({ event }) => event.type === "configure" && event.renew,
      mayHandOver: ({ context }) => mayOverlap(context, context.plan),
      planHandsOver: ({ context, event }) =>
        event.type === "configure" && event.renew && mayOverlap(context, event.plan),
      goesTo: ({ context }, { to }: { to: Destination }) => context.next === to,
      staysStuck: ({ context }, { left }: { left: number }) => left > 0 && context.intent !== "stop",
      isStopping: ({ context }) => context.intent === "stop",
      isDirty: ({ context }) => context.dirty,
      hasLifetime: ({ context }) => context.plan.maxLifetimeMs !== undefined,
      mayListAgain: ({ context }) => context.relist.failures < relistLimits.maxFailures,
    },
    actions: {
      enter: enqueueActions(({ context, enqueue }, { to }: { to: ServerState }) => {
        const at = plannedAt(context, to, now());
        const { id, state: from, cause, generation } = context;
        const told = { type: "state", id, from, to, cause, generation } as const;
        enqueue.emit(at === undefined ? told : { ...told, nextAttemptAt: at });
        enqueue.assign({ state: to, since: now(), nextAttemptAt: at });
      }),
      refuse: emit(({ context, event }) => refusal(context, event.type, now())),
      note: emit(({ context }, { message }: { message: string }) => noteOf(context, message)),
      noteIfNoisy: enqueueActions(({ context, enqueue }) => {
        if (becameNoisy(context.relist)) enqueue.emit(noteOf(context, noisy(context.relist)));
      }),
      because: assign(({ context }, reason: Reason) => ({ cause: reasonOf(reason, context) })),
      end: assign(({ context }, reason: Reason) => ending(context, reasonOf(reason, context), now())),
      judge: assign(({ context }) => decide(context, now(), random())),
      beginLife: assign(({ context }) => newLife(context, now())),
      beginSuccessor: assign(({ context }) => newSuccessor(context)),
      keepHeir: assign((_, { heir }: { heir: SuccessorOutput }) => ({ heir })),
      // Its end is no state of the server: the life that took over is.
      sayFarewell: enqueueActions(({ context: { id, generation, plan }, enqueue }) => {
        enqueue.spawnChild("farewell", { id: "farewell", input: { id, generation, drainMs: plan.drainMs } });
      }),
      forgetFarewell: stopChild("farewell"),
      stayDirty: assign(({ context }) => stillDirty(context)),
      rollBack: assign(({ context }, reason: Reason) => {
        const cause = rolledBack(reasonOf(reason, context), context);
        return { cause, lastError: cause };
      }),
      // From here on a server that was held back or switched off begins by itself once its plan lets it.
      markStarted: assign(({ context }) => ({
        started: true,
        intent: context.intent === "rest" ? ("run" as const) : context.intent,
      })),
      takePlan: assign(({ context, event }) => (event.type === "configure" ? { plan: event.plan } : context)),
      beginIfOwn: assign(({ context }) => ({ again: context.again || beginsByItself(context) })),
      want: assign({ wanted: true }),
      renew: assign({ again: true }),
      rest: assign(({ context }) => ({ intent: intentOf(context, "rest"), wanted: false, again: false })),
      leave: assign(({ context }, { intent }: { intent: "retire" | "stop" }) => ({
        intent: intentOf(context, intent),
      })),
      forget: assign(() => forgetting(now())),
      forgetIfStable: assign(({ context }) => (isStableNow(context, now()) ? forgetting(now()) : {})),
      halfOpen: assign({ probing: true }),
      keepSession: assign((_, { session }: { session: InitializeOutput }) => ({ session })),
      keepTools: assign(({ context }, { list }: { list: ListOutput }) => withTools(context, list, now())),
      keepSurvivors: assign((_, { survivors }: ReapOutput) => ({ survivors })),
      noteChange: assign(({ context }) => withChange(context, now())),
      markDirty: assign({ dirty: true }),
      markClean: assign({ dirty: false }),
      listFailed: assign(({ context }) => ({ relist: listFailed(context.relist, now()) })),
      prove: assign(({ context, event }) =>
        event.type === "session.proven" ? { provenAt: context.provenAt ?? event.at } : context,
      ),
    },
  });
}

function reasonOf(reason: Reason, context: ServerContext): Cause {
  return "cause" in reason ? reason.cause : causeOf(reason.kind, context);
}

/** A later wish wins, but nothing takes back an end for good, and a stop stays a stop. */
function intentOf({ intent }: ServerContext, wish: "rest" | "retire" | "stop"): ServerContext["intent"] {
  if (intent === "stop" || (intent === "retire" && wish === "rest")) return intent;
  return wish;
}

function noteOf({ id, name }: ServerContext, message: string): ServerEmitted {
  return { type: "note", id, level: "warning", message: `server "${name}": ${message}` };
}

function refusal(context: ServerContext, order: string, now: number): ServerEmitted {
  const { id, cause, state, plan } = context;
  const told = { type: "refused", id, order, cause } as const;
  return state === "parked" && mayBegin(plan) ? { ...told, retryAfterMs: waitMs(context, now) } : told;
}

function plannedAt(context: ServerContext, to: ServerState, now: number): number | undefined {
  if (to === "reconnecting") return context.notBefore;
  return to === "parked" && probesByItself(context) ? now + probeEveryMs : undefined;
}
