import type { Cause } from "../errors.js";
import { causeTable } from "../policy/causes.js";
import { defaultBudget, restart } from "../policy/restart.js";
import type { RestartVerdict } from "../policy/restart.js";
import type { Destination, ServerContext } from "./serverContext.js";
import { causeOf, gaveUp } from "./messages.js";

/** A parked server takes one try of a caller at most this often; with the budget that is under 8 starts a minute. */
export const probeGapMs = 30_000;

type Decision = Pick<ServerContext, "next" | "cause" | "notBefore">;

/** What `deciding` decides: where to go, why, and what is remembered of the life that ended. Pure. */
export function decide(context: ServerContext, now: number, random: number): Partial<ServerContext> {
  const { ended } = context;
  const verdict = ended === undefined ? undefined : judge(context, ended, random);
  const decision = choose(context, verdict, now);
  return {
    ...decision,
    ended: undefined,
    probing: false,
    history: verdict?.history ?? context.history,
    lastError: ended !== undefined && causeTable[ended.kind].counts !== "never" ? ended : context.lastError,
  };
}

function judge(context: ServerContext, cause: Cause, random: number) {
  const { history, beganAt, endedAt, readyAt, provenAt, plan } = context;
  return restart(history, { at: endedAt, beganAt, remote: plan.remote, cause, readyAt, provenAt }, random);
}

function choose(context: ServerContext, verdict: RestartVerdict | undefined, now: number): Decision {
  const { intent, plan, again, ended, cause } = context;
  if (intent === "retire") return to("retired", causeOf("removed", context), now);
  if (intent === "stop") return to("retired", causeOf("stopping", context), now);
  if (!plan.enabled) return to("disabled", causeOf("disabled", context), now);
  if (plan.held !== undefined) return to("parked", plan.held, now);
  if (again) return to("alive", ended ?? cause, now);
  if (ended === undefined || verdict === undefined) return to("idle", cause, now);
  return afterEnd(context, ended, verdict, now);
}

function afterEnd(context: ServerContext, ended: Cause, verdict: RestartVerdict, now: number): Decision {
  const { intent, wanted, plan, readyAt, probing } = context;
  const free = verdict.kind === "again" ? now + verdict.delayMs : now + probeGapMs;
  if (intent === "rest" && !wanted) return to("idle", ended, free);
  if (verdict.kind === "permanent") return to("parked", ended, free);
  if (verdict.kind === "gave-up") return to("parked", gaveUp(ended, verdict.history.failures, context), free);
  if (probing && !isSettled(context)) return to("parked", ended, now + probeGapMs);
  if (plan.restart === "never" && !wanted) return to("parked", ended, free);
  // Only a drop waits for the next call; an attempt that failed goes on, because somebody may be waiting for it.
  if (plan.restart === "lazy" && readyAt !== undefined && !wanted) return to("idle", ended, free);
  return to(verdict.delayMs === 0 ? "alive" : "reconnecting", ended, free);
}

function isSettled({ readyAt, endedAt }: ServerContext): boolean {
  return readyAt !== undefined && endedAt - readyAt >= defaultBudget.settledMs;
}

function to(next: Destination, cause: Cause, notBefore: number): Decision {
  return { next, cause, notBefore };
}
