import type { AuthorizeRequest } from "../../auth/contract.js";
import type { Clock } from "../../clock.js";
import type { Duration, ServerConfig } from "../../config/entries/input.js";
import type { PermissionMode } from "../../policy/permission.js";
import type { Limits } from "../../spec.js";
import type { TransportSource } from "../../transport/transport.js";
import type { Answer, ApprovalRequest } from "./approvals.js";
import type { CallSubject } from "./calls.js";
import type { InputHandlers, LogLevel } from "./inputs.js";

/** The part of a pino logger that is used; facts are its only source. */
export interface Logger {
  /** Calls and their progress. */
  debug(fields: object, message: string): void;
  /** Changes of state, tools and configuration. */
  info(fields: object, message: string): void;
  /** Oddities. */
  warn(fields: object, message: string): void;
  /** Faults of servers and of the configuration. */
  error(fields: object, message: string): void;
}

/** Options of `createSupervisor`; all of them may be left out. */
export interface SupervisorOptions extends InputHandlers {
  /**
   * Asked once per call, after `mcp.call.started`: what it returns goes into the request's `_meta`, such as
   * `traceparent` and `tracestate` (SEP-414). Texts only; a hook that throws adds nothing. Default: nothing is added.
   */
  readonly callMeta?: (call: CallSubject) => Readonly<Record<string, string>> | undefined;
  /** Servers written in the program; they win over those of files on equal ids. Default: none. */
  readonly servers?: readonly ServerConfig[];
  /**
   * Servers by name, as other programs write them: what stands under `mcpServers` in their files may be passed as it is.
   * Plain numbers are milliseconds there; `servers` win on equal ids. Default: none.
   */
  readonly mcpServers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Only these servers are used; all others are as if their entries were switched off. Default: all of them. */
  readonly only?: readonly string[];
  /**
   * Gets every line that a server's process writes to stderr, masked, as it comes: for a log of one's own. Default:
   * nobody; the newest lines are in `ServerStatus.stderrTail`.
   */
  readonly stderr?: (id: string, line: string) => void;
  /** Settings files (section `mcp`) or `mcpServers` files, told apart by shape; later ones win on equal names. */
  readonly configFiles?: readonly string[];
  /** Reads `<home>/settings.json`, `<home>/mcp.json` and `<workspace>/.mcp.json` too. Default: false. */
  readonly discover?: boolean;
  /** Folder of the project: `.mcp.json` is looked for in it, and `${workspace}` in files means it. Default: there is none. */
  readonly workspace?: string;
  /**
   * What may run without a question, for all entries alike (docs/permissions.md). Default: each entry follows the file it
   * is written in; inline servers are in the words of settings.json, where only `auto_approve` lets a tool run unasked.
   */
  readonly mode?: PermissionMode;
  /**
   * Asked about each approval, beside `approvals$` and `decide`; whoever answers first decides. The signal fires when the
   * question has ended in another way. A handler that throws or rejects has denied. Default: nobody is called.
   */
  readonly approve?: (request: ApprovalRequest, signal: AbortSignal) => Answer;
  /** How long a question stays open before it ends as denied. Default: `5m`. */
  readonly approvalTimeout?: Duration;
  /**
   * Shows a login to a person: opens `request.url`, or shows `userCode` and `verificationUri`. May return the address
   * that the browser ended at, where the host caught it. The signal aborts when the login is over. Default: nobody.
   */
  readonly authorize?: (
    request: AuthorizeRequest,
    signal: AbortSignal,
  ) => string | void | Promise<string | void>;
  /**
   * `asked`: only `server(id).login()` begins a login. `needed`: a server that wants one begins it by itself, and so does
   * a call that lacks scopes. Default: `asked`.
   */
  readonly authorizeWhen?: "asked" | "needed";
  /** False holds back every server that is reached over HTTP (cause `network-off`). Default: true. */
  readonly network?: boolean;
  /** Public names of tools: `flat` is `mcp_files_read`, `scoped` is `mcp__files__read`. Default: `flat`. */
  readonly naming?: "flat" | "scoped";
  /** State folder, made with mode 0700 when something is kept. Default: `MCPVISOR_HOME`, else `~/.mcpvisor`. */
  readonly home?: string;
  /** Other defaults for the limits of all servers; an entry's own `limits` win. */
  readonly limits?: Partial<Limits>;
  /** Gets one line per fact, such as a pino logger. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Where time and timers come from. Default: `realClock`. */
  readonly clock?: Clock;
  /** Where chance (the spread of back-offs) comes from, in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
  /** Watch the config files and apply differences. Default: true when there are files. */
  readonly watch?: boolean;
  /** End all children on SIGINT, SIGTERM, SIGHUP, uncaught exception and exit of this process. Default: true. */
  readonly handleSignals?: boolean;
  /**
   * What holds descendants that leave session, parent, environment and pipes behind (Linux; docs/reliability.md says
   * which promise holds with which): `cgroup` (control groups), `subreaper` (tini), `namespace` (a process namespace by
   * bubblewrap), `off`, or `auto`: control groups where they can be had without asking, else tini where it is on PATH,
   * else nothing. One that this system does not have makes `start` reject with ConfigError. Default: `auto`.
   */
  readonly containment?: "auto" | "off" | "subreaper" | "cgroup" | "namespace";
  /** How many servers may be starting at the same time. Default: 16. */
  readonly parallelStarts?: number;
  /** Asks servers for their log messages from this level on; they come as `mcp.log` facts. Default: not asked for. */
  readonly logging?: LogLevel;
  /**
   * Connections that the host makes itself, by server id, in place of the one that the entry describes: a server in
   * this process, or the configured connection (`request.own()`) with something around it. Asked once per life.
   */
  readonly transports?: Readonly<Record<string, TransportSource>>;
  /**
   * Consumers behind this host answer what servers ask (see `CallOptions.behalf`): elicitation and sampling are declared
   * to servers at their handshake, and each request goes to the consumer that it belongs to or is refused. Default: false.
   */
  readonly consumers?: boolean;
  /** Keep pins of tools, the tool lists of lazy servers and what is known of revisions in the state folder. Default: true. */
  readonly remember?: boolean;
}
