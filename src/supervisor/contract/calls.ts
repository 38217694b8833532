import type { PermissionMode } from "../../policy/permission.js";
import type { Behalf } from "../../protocol/behalf.js";
import type { Duration } from "../../config/entries/input.js";
import type { Answer, ApprovalRequest } from "./approvals.js";

/** Which call a hook is asked about. */
export interface CallSubject {
  /** The `call` of its facts. */
  readonly id: string;
  /** Id of the server. */
  readonly server: string;
  /** Raw tool name. */
  readonly tool: string;
}

/** Options of one call; all of them may be left out. */
export interface CallOptions {
  /** Aborting cancels the call: it settles at once as `cancelled`, and the server is told. */
  readonly signal?: AbortSignal;
  /**
   * Idle limit of this call: milliseconds, or text such as `30s`; progress starts it anew, until `maxTimeout`.
   * Default: `timeout` of the entry.
   */
  readonly timeout?: Duration;
  /**
   * Limit of this call in all, whatever progress comes: milliseconds, or text such as `30s`. Default: `maxTimeout` of
   * the entry, else ten times the idle limit, an hour at most unless the idle limit itself is longer.
   */
  readonly maxTimeout?: Duration;
  /** Told of each progress (MCP, Utilities / Progress) until the call settles; what it throws harms nobody. Default: nobody is told. */
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Names the caller for fair sharing of a server's queue. Default: all calls share one place. */
  readonly caller?: string;
  /**
   * Asked in place of the supervisor's `approve` when this call needs consent: for hosts that ask within the
   * conversation that the call belongs to. Default: the supervisor's.
   */
  readonly approve?: (request: ApprovalRequest, signal: AbortSignal) => Answer;
  /**
   * On whose behalf the call is made, when that is a consumer behind the host (a gateway). What its server says beside
   * the answer goes to them, and the result has the answer as it came (`raw`).
   */
  readonly behalf?: CallBehalf;
}

/** A consumer of a gateway in one call or request. */
export interface CallBehalf extends Behalf {
  /** What may run without a question for this consumer. Default: what holds for the host. */
  readonly mode?: PermissionMode;
}

/** Options of a request to one server that is no call. */
export interface ServerRequestOptions {
  /** Cancels it. */
  readonly signal?: AbortSignal;
  /** Told about its progress. */
  readonly onProgress?: NonNullable<CallOptions["onProgress"]>;
  /** On whose behalf; default: the host's own. */
  readonly behalf?: CallBehalf;
}
