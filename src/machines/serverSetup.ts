import { assign, emit, enqueueActions, fromCallback, fromPromise, setup, stopChild } from "xstate";
import type { EventObject } from "xstate";
import type { Cause, CauseKind } from "../errors.js";
import type { ServerState } from "../events.js";
import { clampDelay, maxDelayMs } from "../policy/backoff.js";
import { becameNoisy, listFailed, noisy, relistLimits } from "../policy/relist.js";
import { defaultBudget } from "../policy/restart.js";
import type {
  DrainReplacedInput,
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
  waitsForTokens,
} from "./serverContext.js";
import type { Destination, ServerContext, ServerEmitted, ServerMemory } from "./serverContext.js";
import { arrival, noteOf, plannedAt, probeEveryMs, refusal } from "./telling.js";

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

/** A stuck server looks again so often; a reap may take so long. */
const stuckRetryMs = 60_000;
const reapLimitMs = 30_000;
/** A login ends by itself before; this is for one that was forgotten. */
const loginLimitMs = 16 * 60_000;

const never = <T>() => fromPromise<T, LifeInput>(() => new Promise<T>(() => {}));

/** The code behind the names in the chart: each guard, action and delay is one line over a pure function. */
export function serverSetup({ now, random }: TimeAndChance) {
  return setup({
    types: {
      context: {} as ServerMemory,
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
      drainReplaced: fromPromise<void, DrainReplacedInput>(() => new Promise<void>(() => {})),
      drain: never<void>(),
      reap: never<ReapOutput>(),
    },
    delays: {
      connectDeadline: ({ context: { server } }) => clampDelay(server.plan.connectTimeoutMs),
      refreshLimit: ({ context: { server } }) => clampDelay(server.plan.connectTimeoutMs),
      relistWait: ({ context: { server } }) => clampDelay(server.relist.dueAt - now()),
      stableTime: defaultBudget.stableMs,
      lifetime: ({ context: { server } }) => clampDelay(server.plan.maxLifetimeMs ?? maxDelayMs),
      clearLimit: ({ context: { server } }) => clampDelay(server.plan.drainMs + reapLimitMs),
      drainLimit: ({ context: { server } }) => clampDelay(server.plan.drainMs),
      reapLimit: reapLimitMs,
      stuckRetry: stuckRetryMs,
      retryWait: ({ context: { server } }) => waitMs(server, now()),
      probeEvery: probeEveryMs,
      loginLimit: loginLimitMs,
    },
    guards: {
      mayBegin: ({ context: { server } }) => mayBegin(server.plan),
      startsByItself: ({ context: { server } }) => mayBegin(server.plan) && !server.plan.lazy,
      mustWait: ({ context: { server } }) => waitMs(server, now()) > 0,
      mayProbe: ({ context: { server } }) =>
        mayBegin(server.plan) && !waitsForTokens(server.cause) && waitMs(server, now()) === 0,
      waitsForTokens: ({ context: { server } }) => mayBegin(server.plan) && waitsForTokens(server.cause),
      probesByItself: ({ context: { server } }) => probesByItself(server),
      planForbids: ({ event }) => event.type === "configure" && !mayBegin(event.plan),
      planRenews: ({ event }) => event.type === "configure" && event.renew,
      planBegins: ({ context: { server }, event }) =>
        event.type === "configure" && server.plan.lazy && beginsByItself({ ...server, plan: event.plan }),
      mayHandOver: ({ context: { server } }) => mayOverlap(server, server.plan),
      planHandsOver: ({ context: { server }, event }) =>
        event.type === "configure" && event.renew && mayOverlap(server, event.plan),
      goesTo: ({ context: { server } }, { to }: { to: Destination }) => server.next === to,
      staysStuck: ({ context: { server } }, { left }: { left: number }) =>
        left > 0 && server.intent !== "stop",
      isStopping: ({ context: { server } }) => server.intent === "stop",
      isDirty: ({ context: { server } }) => server.dirty,
      hasLifetime: ({ context: { server } }) => server.plan.maxLifetimeMs !== undefined,
      mayListAgain: ({ context: { server } }) => server.relist.failures < relistLimits.maxFailures,
    },
    actions: {
      tell: emit(({ context: { server } }, { to }: { to: ServerState }) => arrival(server, to, now())),
      arrive: assign(({ context: { server } }, { to }: { to: ServerState }) =>
        keep(server, { state: to, since: now(), nextAttemptAt: plannedAt(server, to, now()) }),
      ),
      refuse: emit(({ context: { server }, event }) => refusal(server, event.type, now())),
      note: emit(({ context: { server } }, { message }: { message: string }) => noteOf(server, message)),
      noteIfNoisy: enqueueActions(({ context: { server }, enqueue }) => {
        if (becameNoisy(server.relist)) enqueue.emit(noteOf(server, noisy(server.relist)));
      }),
      because: assign(({ context: { server } }, reason: Reason) =>
        keep(server, { cause: reasonOf(reason, server) }),
      ),
      end: assign(({ context: { server } }, reason: Reason) =>
        keep(server, ending(server, reasonOf(reason, server), now())),
      ),
      judge: assign(({ context: { server } }) => keep(server, decide(server, now(), random()))),
      beginLife: assign(({ context: { server } }) => keep(server, newLife(server, now()))),
      beginSuccessor: assign(({ context: { server } }) => keep(server, newSuccessor(server))),
      keepSuccessor: assign(({ context: { server } }, { successor }: { successor: SuccessorOutput }) =>
        keep(server, { successor }),
      ),
      // Its end is no state of the server: the life that took over is.
      beginDrainReplaced: enqueueActions(({ context: { server }, enqueue }) => {
        const { id, generation, plan } = server;
        enqueue.spawnChild("drainReplaced", {
          id: "drainReplaced",
          input: { id, generation, drainMs: plan.drainMs },
        });
      }),
      forgetReplaced: stopChild("drainReplaced"),
      stayDirty: assign(({ context: { server } }) => keep(server, stillDirty(server))),
      rollBack: assign(({ context: { server } }, reason: Reason) => {
        const cause = rolledBack(reasonOf(reason, server), server);
        return keep(server, { cause, lastError: cause });
      }),
      // From here on a server that was held back or switched off begins by itself once its plan lets it.
      markStarted: assign(({ context: { server } }) =>
        keep(server, { started: true, intent: server.intent === "rest" ? "run" : server.intent }),
      ),
      takePlan: assign(({ context: { server }, event }) =>
        keep(server, event.type === "configure" ? { plan: event.plan } : {}),
      ),
      beginIfOwn: assign(({ context: { server } }) =>
        keep(server, { again: server.again || beginsByItself(server) }),
      ),
      want: assign(({ context: { server } }) => keep(server, { wanted: true })),
      renew: assign(({ context: { server } }) => keep(server, { again: true })),
      rest: assign(({ context: { server } }) =>
        keep(server, { intent: intentOf(server, "rest"), wanted: false, again: false }),
      ),
      leave: assign(({ context: { server } }, { intent }: { intent: "retire" | "stop" }) =>
        keep(server, { intent: intentOf(server, intent) }),
      ),
      forget: assign(({ context: { server } }) => keep(server, forgetting(now()))),
      forgetIfStable: assign(({ context: { server } }) =>
        keep(server, isStableNow(server, now()) ? forgetting(now()) : {}),
      ),
      halfOpen: assign(({ context: { server } }) => keep(server, { probing: true })),
      keepSession: assign(({ context: { server } }, { session }: { session: InitializeOutput }) =>
        keep(server, { session }),
      ),
      keepTools: assign(({ context: { server } }, { list }: { list: ListOutput }) =>
        keep(server, withTools(server, list, now())),
      ),
      keepSurvivors: assign(({ context: { server } }, { survivors }: ReapOutput) =>
        keep(server, { survivors }),
      ),
      noteChange: assign(({ context: { server } }) => keep(server, withChange(server, now()))),
      markDirty: assign(({ context: { server } }) => keep(server, { dirty: true })),
      markClean: assign(({ context: { server } }) => keep(server, { dirty: false })),
      listFailed: assign(({ context: { server } }) =>
        keep(server, { relist: listFailed(server.relist, now()) }),
      ),
      prove: assign(({ context: { server }, event }) =>
        keep(server, event.type === "session.proven" ? { provenAt: server.provenAt ?? event.at } : {}),
      ),
    },
  });
}

function keep(server: ServerContext, news: Partial<ServerContext>): ServerMemory {
  return { server: { ...server, ...news } };
}

function reasonOf(reason: Reason, context: ServerContext): Cause {
  return "cause" in reason ? reason.cause : causeOf(reason.kind, context);
}

/** A later wish wins, but nothing takes back an end for good, and a stop stays a stop. */
function intentOf({ intent }: ServerContext, wish: "rest" | "retire" | "stop"): ServerContext["intent"] {
  if (intent === "stop" || (intent === "retire" && wish === "rest")) return intent;
  return wish;
}
