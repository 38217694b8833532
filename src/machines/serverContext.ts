import type { Cause } from "../errors.js";
import type { ServerState } from "../events.js";
import { clampDelay } from "../policy/backoff.js";
import { causeTable } from "../policy/causes.js";
import { changed, listed, newRelist } from "../policy/relist.js";
import type { Relist } from "../policy/relist.js";
import { isStable, noHistory } from "../policy/restart.js";
import type { RestartHistory } from "../policy/restart.js";
import type { InitializeOutput, ListOutput, ServerInput, ServerPlan, SuccessorOutput } from "./contract.js";
import { causeOf } from "./messages.js";

/** Where `deciding` may lead. */
export type Destination = "retired" | "disabled" | "parked" | "idle" | "reconnecting" | "alive";

/** What a server machine remembers. Plain data: can be shown, compared and written down. */
export interface ServerContext {
  readonly id: string;
  readonly name: string;
  readonly plan: ServerPlan;
  /** The supervisor was started: a server that is not lazy may begin by itself. */
  readonly started: boolean;
  readonly state: ServerState | "new";
  /** Epoch ms of the last change of state. */
  readonly since: number;
  /** Why it is in this state. */
  readonly cause: Cause;
  readonly intent: "run" | "rest" | "retire" | "stop";
  /** A call came while a life was ending: begin again as soon as the policy allows. */
  readonly wanted: boolean;
  /** Somebody asked for a new life: begin again at once. */
  readonly again: boolean;
  /** This life is the one try of a parked server. */
  readonly probing: boolean;
  /** The life in service, or the last one. */
  readonly generation: number;
  /** The highest number that was given to a life, whether it came into service or not. */
  readonly given: number;
  /** A life that is ready to take over. */
  readonly successor: SuccessorOutput | undefined;
  /** When the current life began, epoch ms. */
  readonly beganAt: number;
  readonly readyAt: number | undefined;
  readonly provenAt: number | undefined;
  /** Why the current life ends; the first reason wins. */
  readonly ended: Cause | undefined;
  readonly endedAt: number;
  readonly history: RestartHistory;
  readonly lastError: Cause | undefined;
  /** Epoch ms before which no call may begin a life. */
  readonly notBefore: number;
  readonly nextAttemptAt: number | undefined;
  readonly next: Destination;
  readonly relist: Relist;
  /** A change was told that no walk has begun for. */
  readonly dirty: boolean;
  readonly tools: number;
  readonly hash: string;
  readonly session: InitializeOutput | undefined;
  readonly survivors: readonly number[];
}

/**
 * The context of the machine. xstate copies its fields one by one with each assignment, at ten times the price of
 * copying one record as a whole; so it has one field.
 */
export interface ServerMemory {
  readonly server: ServerContext;
}

/** What a server machine tells (xstate `emit`); all of it is plain data. */
export type ServerEmitted =
  | {
      readonly type: "state";
      readonly id: string;
      readonly from: ServerState | "new";
      readonly to: ServerState;
      readonly cause: Cause;
      readonly generation: number;
      readonly nextAttemptAt?: number;
    }
  /** A thing a person should know that changes no state. */
  | { readonly type: "note"; readonly id: string; readonly level: "warning"; readonly message: string }
  /** An order that cannot be followed now; whoever waits for it should not wait any longer. */
  | {
      readonly type: "refused";
      readonly id: string;
      readonly order: string;
      readonly cause: Cause;
      readonly retryAfterMs?: number;
    };

export function newContext({ id, name, plan }: ServerInput, now: number): ServerContext {
  return {
    id,
    name,
    plan,
    started: false,
    state: "new",
    since: now,
    cause: causeOf("start", { name, plan }),
    intent: "rest",
    wanted: false,
    again: false,
    probing: false,
    generation: 0,
    given: 0,
    successor: undefined,
    beganAt: now,
    readyAt: undefined,
    provenAt: undefined,
    ended: undefined,
    endedAt: 0,
    history: noHistory,
    lastError: undefined,
    notBefore: 0,
    nextAttemptAt: undefined,
    next: "idle",
    relist: newRelist,
    dirty: false,
    tools: 0,
    hash: "",
    session: undefined,
    survivors: [],
  };
}

/** What a new life starts with: the next generation, and nothing of the last one but its history. A successor is in service at once. */
export function newLife({ given, successor }: ServerContext, now: number): Partial<ServerContext> {
  const known = successor === undefined ? {} : { ...successor.list, readyAt: now };
  const generation = successor === undefined ? given + 1 : given;
  return {
    generation,
    given: generation,
    successor: undefined,
    beganAt: now,
    intent: "run",
    wanted: false,
    again: false,
    readyAt: undefined,
    provenAt: undefined,
    ended: undefined,
    relist: newRelist,
    dirty: false,
    session: successor?.session,
    survivors: [],
    ...known,
  };
}

/** A successor gets a number of its own: no two lives ever share one. */
export function newSuccessor({ given }: ServerContext): Partial<ServerContext> {
  return { given: given + 1 };
}

/** A walk that is broken off must be made again by the life that goes on. */
export function stillDirty({ dirty, state }: ServerContext): Partial<ServerContext> {
  return { dirty: dirty || state === "refreshing" };
}

/** True when both connections may exist at the same time: the one in service and the configured one. */
export function mayOverlap({ session }: ServerContext, plan: ServerPlan): boolean {
  return plan.overlaps && session?.overlaps === true;
}

/** The end of a life: the first reason is kept, whatever else happens while it closes. */
export function ending(context: ServerContext, cause: Cause, at: number): Partial<ServerContext> {
  const ended = context.ended ?? cause;
  return { ended, endedAt: context.ended === undefined ? at : context.endedAt, cause: ended };
}

/** After a completed walk. The first one of a life makes it ready. */
export function withTools(context: ServerContext, output: ListOutput, now: number): Partial<ServerContext> {
  return {
    tools: output.tools,
    hash: output.hash,
    readyAt: context.readyAt ?? now,
    relist: listed(context.relist, now),
  };
}

/** After a told change of the tool list. */
export function withChange(context: ServerContext, now: number): Partial<ServerContext> {
  return { dirty: false, relist: changed(context.relist, now) };
}

/** After a person's wish or a stable session: nothing that went wrong before counts any more. */
export function forgetting(now: number): Partial<ServerContext> {
  return { history: noHistory, notBefore: now, probing: false };
}

export function isStableNow({ readyAt, provenAt }: ServerContext, now: number): boolean {
  return isStable({ readyAt, provenAt }, now);
}

export function mayBegin(plan: ServerPlan): boolean {
  return plan.enabled && plan.held === undefined;
}

/** True when a server begins by itself, without a call, after a change of its plan. */
export function beginsByItself({ started, plan, intent }: ServerContext): boolean {
  return started && !plan.lazy && mayBegin(plan) && intent !== "rest";
}

/** True when a parked server tries again on its own now and then: not what only a change of the configuration mends. */
export function probesByItself({ plan, cause }: ServerContext): boolean {
  const mayPass = cause.kind === "gave-up" || !causeTable[cause.kind].permanent;
  return mayPass && plan.restart === "eager" && mayBegin(plan);
}

/** True when only new tokens help: a call that tries changes nothing. */
export function waitsForTokens({ kind }: Cause): boolean {
  return kind === "needs-authorization" || kind === "authorization-refused" || kind === "credentials-locked";
}

/** Milliseconds until `notBefore`. */
export function waitMs(context: ServerContext, now: number): number {
  return clampDelay(context.notBefore - now);
}
