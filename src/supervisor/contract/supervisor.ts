import type { Observable } from "rxjs";
import type { Duration, ServerConfig } from "../../config/entries/input.js";
import type { Cause, ConfigProblem } from "../../errors.js";
import type { Fact, ServerState } from "../../events.js";
import type { ToolDescriptor, ToolResult } from "../../tools/types.js";
import type { ApprovalRequest, Decision } from "./approvals.js";
import type { CallOptions } from "./calls.js";
import type { ServerLibrary } from "./library.js";
import type { ServerStatus } from "./status.js";

export interface ServerHandle extends ServerLibrary {
  readonly id: string;
  status(): ServerStatus;
  /** Resolves when it is ready, or with the status that says why not. */
  connect(): Promise<ServerStatus>;
  disconnect(): Promise<ServerStatus>;
  restart(): Promise<ServerStatus>;
}

export interface ReadyReport {
  /** Every enabled server is ready, or idle because it is lazy. */
  readonly ok: boolean;
  readonly timedOut: boolean;
  readonly servers: readonly {
    readonly id: string;
    readonly state: ServerState;
    readonly required: boolean;
    readonly cause: Cause;
  }[];
  readonly problems: readonly ConfigProblem[];
  readonly ms: number;
}

export interface StopReport {
  readonly ended: number;
  readonly forced: number;
  readonly survivors: readonly { readonly id: string; readonly pid: number }[];
  readonly ms: number;
}

export interface Supervisor extends AsyncDisposable {
  start(): Promise<void>;
  ready(options?: { timeout?: Duration }): Promise<ReadyReport>;
  tools(): readonly ToolDescriptor[];
  callTool(name: string, args?: unknown, options?: CallOptions): Promise<ToolResult>;
  servers(): readonly ServerStatus[];
  server(id: string): ServerHandle | undefined;
  saveServer(config: ServerConfig): Promise<ServerStatus>;
  removeServer(id: string): Promise<boolean>;
  /** Switches an entry on or off where it is written down; false when there is no such server. */
  enableServer(id: string, enabled: boolean): Promise<boolean>;
  /** False when there is no such pending approval (any more). */
  decide(approvalId: string, decision: Decision): boolean;
  approvals(): readonly ApprovalRequest[];
  /** Facts after this sequence number that the journal still holds; `complete` is false when some are gone. */
  replay(afterSeq: number): { readonly facts: readonly Fact[]; readonly complete: boolean };
  problems(): readonly ConfigProblem[];
  readonly events$: Observable<Fact>;
  readonly servers$: Observable<readonly ServerStatus[]>;
  readonly tools$: Observable<readonly ToolDescriptor[]>;
  readonly approvals$: Observable<readonly ApprovalRequest[]>;
  stop(options?: { force?: boolean }): Promise<StopReport>;
}
