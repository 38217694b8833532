import type { Cause } from "./causes.js";

export type { Cause, CauseKind } from "./causes.js";

/** Whether a call's bytes reached the server. */
export type Sent =
  /** Certainly not: it did not run, and calling again is safe. */
  | "no"
  /** The server has them. */
  | "yes"
  /** It may have run. */
  | "unknown";

/** Why a call failed. One word per thing a caller can react to. */
export type FailureKind =
  /** The tool ran and says it failed (`isError`; MCP, Tools, Error Handling). */
  | "tool-error"
  /** The server answered with a JSON-RPC error (JSON-RPC 2.0, 5.1); `code` and `data` are its own. */
  | "protocol-error"
  /** The tool ran; its result is none, or does not fit its schema (`outputSchema: "fail"`). */
  | "invalid-result"
  /** The arguments or options of the call make no sense; nothing was sent. */
  | "invalid-arguments"
  /** Nothing stands for that name; `message` has near ones. */
  | "unknown-tool"
  /** The server could not be reached; the call certainly did not run. */
  | "unavailable"
  /** The policy or a person said no; nothing was sent. */
  | "denied"
  /** Too many calls wait for the server, or too many approvals are open; nothing was sent. */
  | "overloaded"
  /** No answer within the limit; `sent` says whether it may have run. */
  | "timeout"
  /** The caller's signal fired. */
  | "cancelled"
  /** The connection was lost while the call ran: look at its effect before you call again. */
  | "outcome-unknown"
  /** A fault of mcpvisor itself. */
  | "internal";

/** A failed call, as data. */
export interface Failure {
  /** What a program reacts to. */
  readonly kind: FailureKind;
  /** Server, tool, what happened and what to do, for people and models; without secrets. */
  readonly message: string;
  /** JSON-RPC error code, HTTP status or process exit code, where there is one. */
  readonly code?: number;
  /** `error.data` of a JSON-RPC error, as sent. */
  readonly data?: unknown;
  /** What the server itself said, where it refused a request that is no call. */
  readonly refusal?: string;
  /** When a new try makes sense, in milliseconds from now. */
  readonly retryAfterMs?: number;
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
  /** An error keeps an entry or a file from being used; a warning does not. */
  readonly severity: "error" | "warning";
  /** What is wrong, in one sentence without secrets. */
  readonly message: string;
  /** Server name or id the problem belongs to; absent for a whole file. */
  readonly server?: string;
  /** Field path such as `mcpServers.github.env.TOKEN`. */
  readonly path?: string;
  /** The file; absent for inline servers. */
  readonly file?: string;
  /** Line of the file, if it is known. */
  readonly line?: number;
  /** Column of that line, in UTF-16 code units. */
  readonly column?: number;
  /** What to do, or what was probably meant. */
  readonly hint?: string;
}

/** Thrown for options or configurations that make no sense; never out of the tool loop. */
export class ConfigError extends Error {
  /** Always `ConfigError`. */
  override readonly name = "ConfigError";
  /** Always `CONFIG_INVALID`. */
  readonly code = "CONFIG_INVALID";
  /** What is wrong, one by one; may be empty where `message` says it all. */
  readonly problems: readonly ConfigProblem[];
  /** `message` says in one line what is wrong and where; `options.cause` is the error below it, if any. */
  constructor(message: string, problems: readonly ConfigProblem[] = [], options?: ErrorOptions) {
    super(message, options);
    this.problems = problems;
  }
}
