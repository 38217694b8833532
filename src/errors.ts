/** Whether a call's bytes reached the server: `no` is certain, `unknown` means it may have run. */
export type Sent = "no" | "yes" | "unknown";

/** Why a call failed. One word per thing a caller can react to. */
export type FailureKind =
  | "tool-error"
  | "protocol-error"
  | "invalid-result"
  | "invalid-arguments"
  | "unknown-tool"
  | "unavailable"
  | "denied"
  | "overloaded"
  | "timeout"
  | "cancelled"
  | "outcome-unknown"
  | "internal";

/** A failed call, as data: `message` names server, tool, what happened and what to do. */
export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  /** JSON-RPC error code, HTTP status or process exit code, where there is one. */
  readonly code?: number;
  /** `error.data` of a JSON-RPC error, as sent. */
  readonly data?: unknown;
  /** When a new try makes sense, in milliseconds from now. */
  readonly retryAfterMs?: number;
}

/** Why a life of a server ended or could not begin. The cause table in policy/causes.ts has a row for each. */
export type CauseKind =
  // beginning a process
  | "command-not-found"
  | "command-not-executable"
  | "cwd-missing"
  | "spawn-invalid"
  | "spawn-exhausted"
  // before ready
  | "exited-before-ready"
  | "connect-timeout"
  | "handshake-error"
  | "version-mismatch"
  | "not-mcp"
  | "list-failed"
  // a process that ended or stopped talking
  | "clean-exit"
  | "crashed"
  | "killed"
  | "stdout-closed"
  | "stdin-closed"
  // HTTP
  | "auth-required"
  | "forbidden"
  | "session-lost"
  | "rate-limited"
  | "http-error"
  | "server-error"
  | "redirected"
  | "dns"
  | "tls"
  | "refused"
  | "reset"
  // health
  | "unhealthy"
  | "stuck"
  // asked for by somebody
  | "start"
  | "wake"
  | "probe"
  | "retry"
  | "requested"
  | "restart-requested"
  | "config-changed"
  | "config-invalid"
  | "approval-needed"
  | "disabled"
  | "network-off"
  | "idle"
  | "max-lifetime"
  | "removed"
  | "stopping"
  // normal progress of a life
  | "opened"
  | "initialized"
  | "listed"
  | "tools-changed"
  | "replaced"
  | "reaped"
  | "gave-up"
  | "internal";

/** A cause with what is known about it; `message` is one plain sentence without secrets. */
export interface Cause {
  readonly kind: CauseKind;
  readonly message: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly httpStatus?: number;
  /** Code of a JSON-RPC error that the server answered with. */
  readonly rpcCode?: number;
  readonly retryAfterMs?: number;
  /** Last lines of stderr, masked, newest last. */
  readonly stderrTail?: readonly string[];
}

/** Thrown inside the engine when a connection cannot be made; carries its cause as data. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly info: Cause;
  constructor(info: Cause, options?: ErrorOptions) {
    super(info.message, options);
    this.info = info;
  }
}

/** One thing wrong with a configuration; `line` and `column` count from 1. */
export interface ConfigProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Server name or id the problem belongs to; absent for a whole file. */
  readonly server?: string;
  /** Field path such as `mcpServers.github.env.TOKEN`. */
  readonly path?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

/** Thrown for options or configurations that make no sense; never out of the tool loop. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code = "CONFIG_INVALID";
  readonly problems: readonly ConfigProblem[];
  constructor(message: string, problems: readonly ConfigProblem[] = [], options?: ErrorOptions) {
    super(message, options);
    this.problems = problems;
  }
}

/** For the end of a switch over a union: a new member that nobody handles is a compile error. */
export function assertNever(value: never): never {
  throw new TypeError(`not handled: ${JSON.stringify(value)}`);
}
