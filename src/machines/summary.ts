import type { Cause } from "../errors.js";
import type { ServerState } from "../events.js";
import type { InitializeOutput } from "./contract.js";
import type { ServerSnapshot } from "./server.js";
import { mayBegin, waitMs, waitsForTokens } from "./serverContext.js";

/** A server machine at a glance; plain data. Times are epoch ms. */
export interface ServerSummary {
  readonly id: string;
  readonly name: string;
  readonly state: ServerState;
  readonly since: number;
  readonly cause: Cause;
  readonly generation: number;
  /** Abnormal ends since the history was last forgotten. */
  readonly restarts: number;
  readonly tools: number;
  readonly session: InitializeOutput | undefined;
  readonly nextAttemptAt: number | undefined;
  readonly lastError: Cause | undefined;
  /** Processes of the last life that could not be ended. */
  readonly survivors: readonly number[];
}

/** What a call to this server can expect when it asks for a wake. */
export type Wakeable =
  /** It takes calls now. */
  | { readonly kind: "usable" }
  /** It is on the way or a wake begins a life: wait for its facts. */
  | { readonly kind: "wait" }
  /** Waiting is of no use; `retryAfterMs` when a later call may begin a life. */
  | { readonly kind: "refused"; readonly cause: Cause; readonly retryAfterMs?: number };

/** The state of a server as hosts see it. */
export function stateOf({ context: { server } }: ServerSnapshot): ServerState {
  // "new" is left before the first snapshot exists.
  return server.state === "new" ? "deciding" : server.state;
}

export function summary(snapshot: ServerSnapshot): ServerSummary {
  const { id, name, since, cause, generation, history, tools } = snapshot.context.server;
  const { session, nextAttemptAt, lastError, survivors } = snapshot.context.server;
  return {
    id,
    name,
    state: stateOf(snapshot),
    since,
    cause,
    generation,
    restarts: history.count,
    tools,
    session,
    nextAttemptAt,
    lastError,
    survivors,
  };
}

/** What follows for a call that needs this server at `now` (epoch ms); says before the order what the machine will do. */
export function wakeable(snapshot: ServerSnapshot, now: number): Wakeable {
  const { server } = snapshot.context;
  const { cause } = server;
  if (snapshot.hasTag("usable")) return { kind: "usable" };
  switch (stateOf(snapshot)) {
    case "parked": {
      if (!mayBegin(server.plan) || waitsForTokens(cause)) return { kind: "refused", cause };
      const retryAfterMs = waitMs(server, now);
      return retryAfterMs === 0 ? { kind: "wait" } : { kind: "refused", cause, retryAfterMs };
    }
    case "disabled":
    case "stuck":
    case "retired":
      return { kind: "refused", cause };
    default:
      return { kind: "wait" };
  }
}
