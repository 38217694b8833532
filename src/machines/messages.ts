import { ConnectError } from "../errors.js";
import type { Cause, CauseKind } from "../errors.js";
import type { ServerPlan } from "./contract.js";

interface Subject {
  readonly name: string;
  readonly plan: ServerPlan;
}

const sentences: Partial<Record<CauseKind, (subject: Subject) => string>> = {
  start: () => "the supervisor starts it",
  wake: () => "a call needs it",
  probe: () => "one try after a rest",
  retry: () => "the wait is over",
  requested: () => "a person asked for it",
  "restart-requested": () => "a restart was asked for",
  "config-changed": () => "its configuration changed",
  disabled: () => "it is disabled in the configuration",
  idle: ({ plan }) => `no call for ${seconds(plan.idleTimeoutMs ?? 0)}`,
  "max-lifetime": ({ plan }) => `it ran for its maximum of ${seconds(plan.maxLifetimeMs ?? 0)}`,
  removed: () => "it was removed from the configuration",
  stopping: () => "the supervisor stops",
  authorized: () => "somebody has logged in",
  "needs-authorization": () => "nobody has logged in in time",
  opened: () => "the connection is open",
  initialized: () => "the handshake is done",
  listed: () => "its tools are known",
  replaced: () => "the new life has taken over",
  "tools-changed": () => "it says that its tools changed",
  reaped: () => "nothing of its last life is left",
  "connect-timeout": ({ plan }) =>
    `it was not ready within ${seconds(plan.connectTimeoutMs)}; if it needs longer, raise its connectTimeout`,
};

/** The cause of this kind for this server, with a sentence that names the server. */
export function causeOf(kind: CauseKind, subject: Subject): Cause {
  const sentence = sentences[kind]?.(subject) ?? kind;
  return { kind, message: `server "${subject.name}": ${sentence}` };
}

/** The cause that a failed actor carries; what is no ConnectError gets the given kind. */
export function causeOfError(error: unknown, kind: CauseKind, { name }: Subject): Cause {
  if (error instanceof ConnectError) return error.info;
  const what = error instanceof Error ? error.message : String(error);
  return { kind, message: `server "${name}": ${what}` };
}

/** A server that came to nothing too often: the last end with all that is known about it, told as giving up. */
export function gaveUp(last: Cause, failures: number, { name }: Subject): Cause {
  const often = `it failed ${failures} times in a row, the last time: ${last.message}`;
  return { ...last, kind: "gave-up", message: `server "${name}": ${often}` };
}

/** A new life that did not come up, while the one before it is as good as ever. */
export function rolledBack(cause: Cause, { name }: Subject): Cause {
  const told = cause.message.startsWith(`server "${name}": `)
    ? cause.message.slice(name.length + 11)
    : cause.message;
  const advice = "mend that, then restart it or change its entry to try again";
  return {
    ...cause,
    message: `server "${name}": its new life did not come up, and the one before goes on serving: ${told}; ${advice}`,
  };
}

/** Processes that could not be ended. */
export function stuckWith(pids: readonly number[], { name }: Subject): Cause {
  const who = pids.length === 0 ? "what is left of it" : `process ${pids.join(", ")}`;
  const message = `server "${name}": ${who} could not be ended; no new one starts until it is gone`;
  return { kind: "stuck", message };
}

function seconds(ms: number): string {
  return ms % 60_000 === 0 && ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
