import type { Observable } from "rxjs";
import type { Duration, ServerConfig } from "../config/entries/input.js";
import type { Limits, Scope } from "../spec.js";
import type { Clock } from "../clock.js";
import type { Cause, ConfigProblem } from "../errors.js";
import type { Fact, ServerState } from "../events.js";
import type { ServerInfo, ToolAnnotations } from "../protocol/mcp.js";
import type { PermissionMode } from "../policy/permission.js";
import type { TransportSource } from "../transport/transport.js";
import type { ToolDescriptor, ToolResult } from "../tools/types.js";
import type { InputHandlers, LogLevel } from "./inputTypes.js";
import type { ServerLibrary } from "./libraryTypes.js";

export type Decision = "allow" | "allow-for-session" | "deny";

/** The part of a pino logger that is used; facts are its only source. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A question to a person: may this call run (or may this entry of a project file start)? */
export interface ApprovalRequest {
  readonly id: string;
  readonly kind: "call" | "server";
  readonly server: string;
  /** Raw tool name; empty for kind `server`. */
  readonly tool: string;
  readonly title: string;
  /** Masked: values that are known secrets show as `********`. */
  readonly arguments: unknown;
  readonly annotations: ToolAnnotations;
  readonly reason: string;
  /** Field-wise difference to the pinned definition (or approved entry), when that is what is asked about. */
  readonly difference?: readonly {
    readonly field: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** Epoch ms. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** Which call a hook is asked about; `id` is the one of its facts. */
export interface CallSubject {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
}

export interface SupervisorOptions extends InputHandlers {
  /**
   * Asked once per call, after `mcp.call.started`: what it returns goes into the request's `_meta`, such as
   * `traceparent` and `tracestate` (SEP-414). Texts only.
   */
  readonly callMeta?: (call: CallSubject) => Readonly<Record<string, string>> | undefined;
  readonly servers?: readonly ServerConfig[];
  /** Settings files (section `mcp`) or `mcpServers` files, told apart by shape; later ones win on equal names. */
  readonly configFiles?: readonly string[];
  /** Reads `<home>/settings.json`, `<home>/mcp.json` and `<workspace>/.mcp.json` too. Default: false. */
  readonly discover?: boolean;
  readonly workspace?: string;
  /**
   * What may run without a question, for all entries alike (docs/permissions.md). Default: each entry follows the file it
   * is written in; inline servers are in the words of settings.json, where only `auto_approve` lets a tool run unasked.
   */
  readonly mode?: PermissionMode;
  readonly approve?: (request: ApprovalRequest, signal: AbortSignal) => Decision | Promise<Decision>;
  readonly approvalTimeout?: Duration;
  readonly network?: boolean;
  readonly naming?: "flat" | "scoped";
  /** State folder; `MCPVISOR_HOME` or `~/.mcpvisor` otherwise. */
  readonly home?: string;
  readonly limits?: Partial<Limits>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** In [0, 1), like Math.random. */
  readonly random?: () => number;
  /** Watch the config files and apply differences. Default: true when there are files. */
  readonly watch?: boolean;
  /** End all children on SIGINT, SIGTERM, SIGHUP, uncaught exception and exit of this process. Default: true. */
  readonly handleSignals?: boolean;
  readonly containment?: "auto" | "off" | "subreaper" | "cgroup";
  /** How many servers may be starting at the same time. Default: 16. */
  readonly parallelStarts?: number;
  /** Asks servers for their log messages from this level on; they come as `mcp.log` facts. Default: not asked for. */
  readonly logging?: LogLevel;
  /**
   * Connections that the host makes itself, by server id, in place of the one that the entry describes: a server in
   * this process, or the configured connection (`request.own()`) with something around it. Asked once per life.
   */
  readonly transports?: Readonly<Record<string, TransportSource>>;
  /** Keep pins of tools, the tool lists of lazy servers and what is known of revisions in the state folder. Default: true. */
  readonly remember?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Idle limit of this call: milliseconds, or text such as `30s`. Progress starts it anew. */
  readonly timeout?: Duration;
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Names the caller for fair sharing of a server's queue. */
  readonly caller?: string;
}

export interface ServerStatus {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly file?: string;
  readonly hides?: string;
  readonly transport: "stdio" | "http" | "sse" | "memory";
  readonly enabled: boolean;
  readonly trusted: boolean;
  readonly state: ServerState;
  /** Epoch ms of the last change of state. */
  readonly since: number;
  readonly cause: Cause;
  readonly generation: number;
  readonly protocolVersion?: string;
  readonly serverInfo?: ServerInfo;
  readonly instructions?: string;
  /**
   * It serves with its connection of before the last change of its entry: the new one is coming up, or did not (see
   * `warnings` and `lastError`).
   */
  readonly outdated?: true;
  readonly toolCount: number;
  readonly pids: readonly number[];
  /** Abnormal ends since the history was last forgotten. */
  readonly restarts: number;
  readonly nextAttemptAt?: number;
  readonly lastError?: Cause;
  readonly inFlight: number;
  readonly queued: number;
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds; absent before the first call. */
  readonly latency?: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly warnings: readonly string[];
  /** The target in use, with every env and header value shown as `********`. */
  readonly target: Readonly<Record<string, unknown>>;
  readonly stderrTail: readonly string[];
}

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
