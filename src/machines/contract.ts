import type { Cause } from "../errors.js";

/** The part of a ServerSpec that decisions over time need; plain data, given as `input` and by `configure`. */
export interface ServerPlan {
  readonly enabled: boolean;
  readonly lazy: boolean;
  readonly restart: "lazy" | "eager" | "never";
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs?: number;
  readonly maxLifetimeMs?: number;
  readonly drainMs: number;
  /** The configured connection may exist beside the one before it (HTTP); a process never does. */
  readonly overlaps: boolean;
  /** A try starts no process on this machine. */
  readonly remote: boolean;
  /** A reason not to start at all (invalid entry, approval missing, network off). */
  readonly held?: Cause;
}

export interface ServerInput {
  readonly id: string;
  readonly name: string;
  readonly plan: ServerPlan;
}

/** What every invoked actor of a life is told. */
export interface LifeInput {
  readonly id: string;
  readonly generation: number;
}

/** Orders to a server machine. */
export type ServerOrder =
  /** The supervisor starts: begin if enabled and not lazy. */
  | { readonly type: "start" }
  /** A call needs this server: leaves idle, joins a wait for the next try, probes a parked one. Shared by all callers. */
  | { readonly type: "wake" }
  /** A person wants it now: like wake, and forgets the restart history. */
  | { readonly type: "connect" }
  /** Rest until somebody connects or calls. */
  | { readonly type: "disconnect" }
  /** A new generation: hands over without a gap where two lives may exist, else drains, closes and begins again. Concurrent ones share one. */
  | { readonly type: "restart" }
  /** A new plan; `renew` says that a running life must be replaced because its connection would differ. */
  | { readonly type: "configure"; readonly plan: ServerPlan; readonly renew: boolean }
  /** A login has begun for a server that rests. */
  | { readonly type: "authorize" }
  /** There are tokens now: begin if it waited for them. */
  | { readonly type: "authorized" }
  /** The login came to nothing. */
  | { readonly type: "unauthorized"; readonly cause: Cause }
  /** End for good (entry removed). */
  | { readonly type: "retire" }
  /** The supervisor stops: end for good, no draining beyond what close itself does. */
  | { readonly type: "stop" };

/** Reports of the effects of a life. */
export type ServerReport =
  | { readonly type: "connection.opened" }
  /** The connection is gone, whatever the reason; told once per life. `at` is epoch ms. */
  | { readonly type: "connection.closed"; readonly cause: Cause; readonly at: number }
  | { readonly type: "tools.changed" }
  /** First answered call or ping of this life while ready: only proven time resets the restart budget. */
  | { readonly type: "session.proven"; readonly at: number }
  | { readonly type: "health.failed"; readonly cause: Cause }
  /** No call for idleTimeoutMs. */
  | { readonly type: "idle.expired" };

/** The end of the life that was replaced. */
export type DrainReplacedEnd =
  | { readonly type: "xstate.done.actor.drainReplaced" }
  | { readonly type: "xstate.error.actor.drainReplaced"; readonly error: unknown };

export type ServerEvent = ServerOrder | ServerReport | DrainReplacedEnd;

export interface InitializeOutput {
  readonly protocolVersion: string;
  readonly server: { readonly name: string; readonly version: string };
  /** A second connection beside this one is nothing that the server would keep: HTTP without a session. */
  readonly overlaps: boolean;
}

export interface ListOutput {
  readonly tools: number;
  /** Hash over the list: equal hash, nothing changed. */
  readonly hash: string;
}

/** A life that was made ready beside the one in service. */
export interface SuccessorOutput {
  readonly session: InitializeOutput;
  readonly list: ListOutput;
}

/** The life that has been replaced, and how long its calls in flight may still take. */
export interface DrainReplacedInput extends LifeInput {
  readonly drainMs: number;
}

export interface ReapOutput {
  /** Process ids that could not be ended; not empty leads to `stuck`. */
  readonly survivors: readonly number[];
}
