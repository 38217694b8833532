import type { Cause, CauseKind, Failure, Sent } from "../errors.js";
import type { JsonRpcError } from "../protocol/jsonrpc.js";
import { adviceFor } from "./advice.js";
import { tellingLine } from "./tellingLine.js";

/** Whom a failure is about: server id and raw tool name. An entry of the catalog has both. */
export interface Target {
  readonly server: string;
  readonly tool: string;
}

/**
 * The failure of a call whose server could not be reached or was lost: `unavailable` when the call provably did not
 * run, `outcome-unknown` when it may have.
 */
export function lostCall(cause: Cause, sent: Sent, target: Target): Failure {
  if (cause.kind === "not-json")
    return {
      kind: "invalid-result",
      message: `the answer of tool "${target.tool}" of server "${target.server}" cannot be read: ${cause.message}. The call has run`,
      ...codeOf(cause),
    };
  if (cause.kind === "insufficient-scope")
    return { kind: "denied", message: cause.message, ...codeOf(cause) };
  const ran = sent !== "no" && !refusedUnrun.has(cause.kind);
  const last = lastWords(cause);
  const message = ran
    ? `the answer of tool "${target.tool}" of server "${target.server}" was lost: ${cause.message}${last}. ` +
      "The call may have run; look at its effect before you call again"
    : `server "${target.server}" is not available for tool "${target.tool}": ${cause.message}${last}. ` +
      `The call did not run; ${adviceFor(cause)}`;
  return {
    kind: ran ? "outcome-unknown" : "unavailable",
    message,
    ...codeOf(cause),
    ...(cause.retryAfterMs === undefined ? {} : { retryAfterMs: cause.retryAfterMs }),
  };
}

/** What its stderr says about it, where the cause does not say so already. */
export function lastWords({ message, stderrTail = [] }: Cause): string {
  const said = tellingLine(stderrTail)?.line;
  return said === undefined || message.includes(said) ? "" : ` (its stderr says: ${said})`;
}

/** Answers by which an HTTP server says that it did not take the request, whatever was written to it. */
const refusedUnrun: ReadonlySet<CauseKind> = new Set<CauseKind>([
  "auth-required",
  "needs-authorization",
  "authorization-refused",
  "credentials-locked",
  "insufficient-scope",
  "forbidden",
  "session-lost",
  "rate-limited",
  "redirected",
  "dns",
  "tls",
  "refused",
]);

function codeOf({ httpStatus, exitCode }: Cause): { readonly code?: number } {
  const code = httpStatus ?? exitCode;
  return code === undefined ? {} : { code };
}

/** A public name that nothing stands for. */
export function unknownTool(name: string, near: readonly string[]): Failure {
  const hint =
    near.length === 0
      ? "look at the list of tools"
      : `near names: ${near.map((each) => `"${each}"`).join(", ")}`;
  return { kind: "unknown-tool", message: `there is no tool "${name.slice(0, 128)}"; ${hint}` };
}

/** The server answered the request itself with an error (JSON-RPC 2.0, 5.1). */
export function protocolError(error: JsonRpcError, target: Target): Failure {
  const said = error.message.length > 2000 ? `${error.message.slice(0, 2000)}…` : error.message;
  const message = `server "${target.server}" refused the call of tool "${target.tool}": ${said} (code ${error.code})`;
  const base = { kind: "protocol-error", message, code: error.code } as const;
  return error.data === undefined ? base : { ...base, data: error.data };
}

/** The server's queue is full. */
export function overloaded(target: Target, inFlight: number, queued: number): Failure {
  return {
    kind: "overloaded",
    message:
      `server "${target.server}" has ${inFlight} calls open and ${queued} waiting, which is its limit; ` +
      `tool "${target.tool}" was not called. Call again later, or raise limits.inFlight and limits.queued`,
  };
}

/** The call's time is over, in the queue or while it ran. */
export function timedOut(target: Target, sent: Sent, timeoutMs: number): Failure {
  const where =
    sent === "no"
      ? "it waited for the server and was not sent"
      : "it was sent, cancelled, and may have run; look at its effect before you call again";
  return {
    kind: "timeout",
    message: `tool "${target.tool}" of server "${target.server}" gave no result within ${seconds(timeoutMs)}: ${where}`,
  };
}

/** The caller does not want the call any more. */
export function cancelled(target: Target, sent: Sent): Failure {
  const where = sent === "no" ? "before it was sent" : "after it was sent; it may have run";
  return {
    kind: "cancelled",
    message: `the call of tool "${target.tool}" of server "${target.server}" was cancelled ${where}`,
  };
}

/** A person, a rule or the lack of an answer said no. `reason` says which, and how to allow. */
export function denied(target: Target, reason: string): Failure {
  return {
    kind: "denied",
    message: `tool "${target.tool}" of server "${target.server}" was not called: ${reason}`,
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
