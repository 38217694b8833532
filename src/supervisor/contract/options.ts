import type { Clock } from "../../clock.js";
import type { Duration, ServerConfig } from "../../config/entries/input.js";
import type { PermissionMode } from "../../policy/permission.js";
import type { Limits } from "../../spec.js";
import type { TransportSource } from "../../transport/transport.js";
import type { ApprovalRequest, Decision } from "./approvals.js";
import type { CallSubject } from "./calls.js";
import type { InputHandlers, LogLevel } from "./inputs.js";

/** The part of a pino logger that is used; facts are its only source. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
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
