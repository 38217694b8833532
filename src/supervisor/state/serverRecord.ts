import type { ToolCall } from "../../actors/call.js";
import type { Life } from "../../actors/life.js";
import type { LifePorts } from "../../actors/lifePorts.js";
import type { ServerSpec } from "../../spec.js";
import type { Cause } from "../../errors.js";
import type { ServerState } from "../../events.js";
import type { ServerActor } from "../../machines/server.js";
import { FairQueue } from "../../policy/fairQueue.js";
import { createMasker } from "../../policy/secrets.js";
import type { TransportEnd } from "../../transport/transport.js";
import { Latency } from "./latency.js";
import type { ServerRequestOptions } from "../contract/calls.js";
import type { Outcome, ServerLibrary } from "../contract/library.js";

/** Resources and prompts of one server, over all its lives. */
export interface Library extends ServerLibrary {
  /** One request that is no call; never rejects. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: ServerRequestOptions,
  ): Promise<Outcome<Readonly<Record<string, unknown>>>>;
  /** A notification of the server that may be about what is kept or watched there. */
  notified(method: string, params: unknown): void;
}

/** A call on its way to its server. */
export type Call = ToolCall<ServerRecord>;

/** Everything about one configured server that is no decision over time: plain fields beside its machine. */
export interface ServerRecord {
  readonly id: string;
  /** What its entry says now; a life may still be of an older one. */
  spec: ServerSpec;
  /** Masks its secrets in any text. */
  mask: (text: string) => string;
  /** Secrets that are not of its entry: tokens and what belongs to them. */
  readonly learned: Set<string>;
  actor: ServerActor | undefined;
  ports: LifePorts | undefined;
  /** Its resources and prompts; made when somebody asks. */
  library: Library | undefined;
  /** As the machine last told it. */
  state: ServerState;
  since: number;
  cause: Cause;
  generation: number;
  nextAttemptAt: number | undefined;
  lastError: Cause | undefined;
  /** The kind of fault that was told last, until it serves again. */
  toldError: string | undefined;
  /** Where calls go; undefined unless the server is ready, refreshing or replacing. */
  live: Life | undefined;
  /** The life that has a transport, whether calls may go there or not. */
  life: Life | undefined;
  /** A life that comes up beside the one in service, to replace it. */
  successor: Life | undefined;
  /** How often a new life did not come up and the one before went on. */
  rollbacks: number;
  inFlight: number;
  readonly queue: FairQueue<Call>;
  /** It serves one session at a time: it asks questions that name no call. */
  inTurns: boolean;
  /** Whose calls are in flight, where that counts. */
  turn: string;
  calls: number;
  failures: number;
  readonly latency: Latency;
  /** One text per kind of oddity, newest wins. */
  readonly warnings: Map<string, string>;
  lastEnd: TransportEnd | undefined;
  /** Told after each change of state. */
  readonly watchers: Set<() => void>;
  /** Told when a call has left the server, to look whether the last one has. */
  readonly quietListeners: Set<() => void>;
}

const notStarted: Cause = { kind: "start", message: "not started yet" };

export function createServerRecord(spec: ServerSpec, now: number): ServerRecord {
  return {
    id: spec.id,
    spec,
    mask: createMasker(spec.secrets),
    learned: new Set(),
    actor: undefined,
    ports: undefined,
    library: undefined,
    state: spec.enabled ? "idle" : "disabled",
    since: now,
    cause: notStarted,
    generation: 0,
    nextAttemptAt: undefined,
    lastError: undefined,
    toldError: undefined,
    live: undefined,
    life: undefined,
    successor: undefined,
    rollbacks: 0,
    inFlight: 0,
    queue: new FairQueue<Call>(),
    inTurns: false,
    turn: "",
    calls: 0,
    failures: 0,
    latency: new Latency(),
    warnings: new Map(),
    lastEnd: undefined,
    watchers: new Set(),
    quietListeners: new Set(),
  };
}

/** A call or another request on this life has ended. */
export function leave({ quietListeners }: ServerRecord, life: Life | undefined): void {
  if (life !== undefined) life.inFlight--;
  if (quietListeners.size > 0) for (const look of quietListeners) look();
}
