import type { Observable } from "rxjs";
import type { Duration, SaveOptions, ServerConfig, ServerPatch } from "../../config/entries/input.js";
import type { Cause, ConfigProblem } from "../../errors.js";
import type { Fact, ServerState } from "../../events.js";
import type { ToolDefinition, ToolDescriptor, ToolResult } from "../../tools/types.js";
import type { AccountStatus } from "./account.js";
import type { ApprovalRequest, Decision } from "./approvals.js";
import type { CallOptions, ServerRequestOptions } from "./calls.js";
import type { SupervisorOptions } from "./options.js";
import type { Outcome, ServerLibrary } from "./library.js";
import type { ServerStatus } from "./status.js";

/** Orders for one server and what it offers besides tools. Good as long as the server is known, over all its lives. */
export interface ServerHandle extends ServerLibrary {
  /** Id of the server. */
  readonly id: string;
  /** How it is now. */
  status(): ServerStatus;
  /** A short text that changes whenever its entry does, also in what is never shown; holds for this supervisor only. */
  version(): string;
  /** Forgets earlier failures and begins a life. Resolves when it is ready, or with the status that says why not. */
  connect(): Promise<ServerStatus>;
  /** Ends its life; calls in flight fail. Resolves when it rests; it stays so until somebody connects or calls. */
  disconnect(): Promise<ServerStatus>;
  /**
   * Begins a new life: it takes over without a gap where two may exist (HTTP without a session), else calls in flight get
   * up to 10 s and the old one ends first. Resolves when the new one is ready, or with the status that says why not.
   */
  restart(): Promise<ServerStatus>;
  /**
   * One request that is no call, such as `resources/read`, and its result as sent; wakes the server as a call does. A
   * refusal of the server is a failure of kind `protocol-error` with its own code, message (`refusal`) and data.
   */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options?: ServerRequestOptions,
  ): Promise<Outcome<Readonly<Record<string, unknown>>>>;
  /**
   * Logs in to the account of this server (docs/authorization.md) and connects it. Resolves with the status that it led
   * to; rejects with an error whose `failure` says why the login came to nothing. The old tokens serve until then.
   */
  login(options?: LoginOptions): Promise<ServerStatus>;
  /** Gives the tokens back and forgets them; `keepGrant` leaves them valid at the authorization server. */
  logout(options?: {
    /** Leave the tokens valid at the authorization server. Default: false. */
    readonly keepGrant?: boolean;
  }): Promise<{
    /** Whether the authorization server has taken them back. */
    readonly revoked: "yes" | "no" | "unsupported";
  }>;
  /** The account that its requests use; undefined for a server that takes no tokens: no url, a header of its own, `oauth: false`. */
  account(): Promise<AccountStatus | undefined>;
}

/** How one login goes; all of it is optional. */
export interface LoginOptions {
  /** Shows this login, in place of the option `authorize` of the supervisor. */
  readonly show?: NonNullable<SupervisorOptions["authorize"]>;
  /** Scopes beyond those that the server asks for. */
  readonly scopes?: readonly string[];
  /** Log in by a code that is entered on another device. */
  readonly device?: boolean;
  /** Register a new client although one is kept. */
  readonly newClient?: boolean;
  /** Default: 5 minutes, 15 for the device flow. */
  readonly timeout?: Duration;
  /** Gives the login up. */
  readonly signal?: AbortSignal;
}

/** What `ready` found. */
export interface ReadyReport {
  /** Every enabled server is ready, or idle because it is lazy, and the configuration has no error. */
  readonly ok: boolean;
  /** The time was up before every server was ready or had failed. */
  readonly timedOut: boolean;
  /** The enabled servers, in the order of the configuration. */
  readonly servers: readonly {
    /** Id of the server. */
    readonly id: string;
    /** Where it stands. */
    readonly state: ServerState;
    /** What its entry says about `required`. */
    readonly required: boolean;
    /** Why it stands there. */
    readonly cause: Cause;
  }[];
  /** What is wrong with the configuration; the same as `problems()`. */
  readonly problems: readonly ConfigProblem[];
  /** How long `ready` waited, in milliseconds. */
  readonly ms: number;
}

/** What `stop` did. */
export interface StopReport {
  /** Servers that had a life and were ended. */
  readonly ended: number;
  /** Those of them whose processes had to be killed. */
  readonly forced: number;
  /** Processes that could not be ended. Empty is what one hopes for. */
  readonly survivors: readonly {
    /** Id of the server that it belonged to. */
    readonly id: string;
    /** Its process id. */
    readonly pid: number;
  }[];
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** A fleet of servers. `await using` stops it at the end of its block. */
export interface Supervisor extends AsyncDisposable {
  /**
   * Reads the configuration and begins every enabled server that is not lazy; later calls get the same promise. Resolves
   * without waiting for the servers. Rejects with ConfigError when `containment` cannot be had here.
   */
  start(): Promise<void>;
  /**
   * Starts if need be, then waits until every enabled server is ready or has failed, `timeout` at most (default `30s`).
   * A server that is not ready is told in the report. Rejects as `start` does, and with ConfigError for a wrong timeout.
   */
  ready(options?: { timeout?: Duration }): Promise<ReadyReport>;
  /** All tools that are offered now, in a stable order; those of servers that are down and may come back, too. The same array until something in it changes. */
  tools(): readonly ToolDescriptor[];
  /** The same tools as their servers list them; the same object as long as a tool stays the same. */
  definitions(): readonly ToolDefinition[];
  /**
   * Calls a tool by its public name; wakes its server, and asks a person where the policy says so. `args` is an object
   * that can be written as JSON (default `{}`). Resolves exactly once, by its deadline, whatever happens; never rejects.
   */
  callTool(name: string, args?: unknown, options?: CallOptions): Promise<ToolResult>;
  /** How all servers are now, in the order of the configuration; known before `start` for inline ones. */
  servers(): readonly ServerStatus[];
  /** Orders for one server; undefined when there is none of this id. */
  server(id: string): ServerHandle | undefined;
  /**
   * Adds an entry, or changes the one with its id, where it is written down, and applies it. Resolves with the status
   * right after. Rejects with ConfigError for an invalid entry or a broken file (nothing is written then). With `merge`
   * only the fields that are given change.
   */
  saveServer(config: ServerConfig, options?: SaveOptions): Promise<ServerStatus>;
  /** Changes the given fields of the entry with this id, or of a server that ships with mcpvisor. As `saveServer` otherwise. */
  saveServer(patch: ServerPatch, options: SaveOptions & { readonly merge: true }): Promise<ServerStatus>;
  /** Removes an entry where it is written down; its server is retired. False when there is no such server. Rejects as `saveServer`. */
  removeServer(id: string): Promise<boolean>;
  /** Switches an entry on or off where it is written down; false when there is no such server. Rejects as `saveServer`. */
  enableServer(id: string, enabled: boolean): Promise<boolean>;
  /** Whether servers with a url may be connected: the option `network`, or what `setNetwork` said since. */
  network(): boolean;
  /**
   * Switches the network while it runs: off parks every server with a url at once (cause `network-off`) and keeps it
   * parked, on brings those back that would run. Holds for this supervisor; nothing is written down.
   */
  setNetwork(enabled: boolean): void;
  /** Answers a question; what is no allowing word denies. False when there is no such pending approval (any more). */
  decide(approvalId: string, decision: Decision): boolean;
  /** Open questions, oldest first; at most 100. */
  approvals(): readonly ApprovalRequest[];
  /** Looks facts up again in the journal, which holds the last 10,000. */
  replay(afterSeq: number): {
    /** Facts after this sequence number that the journal still holds, oldest first. */
    readonly facts: readonly Fact[];
    /** False when some that were asked for are gone. */
    readonly complete: boolean;
  };
  /** What is wrong with the configuration, with file, line and column where they are known. */
  problems(): readonly ConfigProblem[];
  /** Facts from now on, in order. Never errors, never completes; a subscriber that throws harms nobody. docs/events.md. */
  readonly events$: Observable<Fact>;
  /** The present value of `servers()`, then again after changes, at most once per turn of the event loop. */
  readonly servers$: Observable<readonly ServerStatus[]>;
  /** The present value of `tools()`, then again after changes, at most once per turn of the event loop. */
  readonly tools$: Observable<readonly ToolDescriptor[]>;
  /** The present value of `approvals()`, then again after changes, at most once per turn of the event loop. */
  readonly approvals$: Observable<readonly ApprovalRequest[]>;
  /**
   * Ends every server and its whole process tree in good order; open calls settle as `unavailable` (provably not run) or
   * `outcome-unknown`. `force`, or a second call, ends processes at once. Resolves with the same report each time. There
   * is no way back: later calls of tools fail.
   */
  stop(options?: { force?: boolean }): Promise<StopReport>;
}
