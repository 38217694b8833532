import type { ServerState } from "../events.js";
import { mayBegin, probesByItself, waitMs } from "./serverContext.js";
import type { ServerContext, ServerEmitted } from "./serverContext.js";

/** An eager parked server tries by itself so often. */
export const probeEveryMs = 300_000;

/** The change of state as it is told. */
export function arrival(server: ServerContext, to: ServerState, now: number): ServerEmitted {
  const { id, state: from, cause, generation } = server;
  const at = plannedAt(server, to, now);
  const told = { type: "state", id, from, to, cause, generation } as const;
  return at === undefined ? told : { ...told, nextAttemptAt: at };
}

/** Something that a person should know. */
export function noteOf({ id, name }: ServerContext, message: string): ServerEmitted {
  return { type: "note", id, level: "warning", message: `server "${name}": ${message}` };
}

/** An order that changes nothing here, with the reason. */
export function refusal(context: ServerContext, order: string, now: number): ServerEmitted {
  const { id, cause, state, plan } = context;
  const told = { type: "refused", id, order, cause } as const;
  return state === "parked" && mayBegin(plan) ? { ...told, retryAfterMs: waitMs(context, now) } : told;
}

/** When the next attempt is made by itself; undefined when none is. */
export function plannedAt(context: ServerContext, to: ServerState, now: number): number | undefined {
  if (to === "reconnecting") return context.notBefore;
  return to === "parked" && probesByItself(context) ? now + probeEveryMs : undefined;
}
