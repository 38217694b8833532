import type { CauseKind } from "../errors.js";

/** What follows from the end of a life. */
export interface CauseRow {
  /** Goes against the restart budget: always, only when the life was ready for less than 10 s, or never. */
  readonly counts: "always" | "early" | "never";
  /** Nothing gets better by trying again: park at once. */
  readonly permanent: boolean;
  /**
   * Whether the fault may be over at any time, so that tries go on for as long as it lasts: always, where a try costs no
   * process here, where a process ended in its first seconds (its network or data base is not there yet), or never.
   */
  readonly passes: "always" | "remote" | "early" | "never";
  /** When a new life may begin: without a wait, after a back-off, when the server said so, or not by itself. */
  readonly restartAfter: "at-once" | "backoff" | "retry-after" | "never";
  /** The tools stay visible while the server is down (a call to one of them wakes it). */
  readonly keepTools: boolean;
}

const transient: CauseRow = {
  counts: "always",
  permanent: false,
  passes: "never",
  restartAfter: "backoff",
  keepTools: true,
};
const outage: CauseRow = { ...transient, passes: "always" };
const permanent: CauseRow = {
  counts: "always",
  permanent: true,
  passes: "never",
  restartAfter: "never",
  keepTools: true,
};
const gentle: CauseRow = {
  counts: "early",
  permanent: false,
  passes: "never",
  restartAfter: "at-once",
  keepTools: true,
};
const asked: CauseRow = {
  counts: "never",
  permanent: false,
  passes: "never",
  restartAfter: "at-once",
  keepTools: true,
};
const held: CauseRow = {
  counts: "never",
  permanent: true,
  passes: "never",
  restartAfter: "never",
  keepTools: false,
};
const progress: CauseRow = {
  counts: "never",
  permanent: false,
  passes: "never",
  restartAfter: "at-once",
  keepTools: true,
};

/** The cause table: one row for each reason why a life ends, cannot begin, or changes state. */
export const causeTable: Readonly<Record<CauseKind, CauseRow>> = {
  // A process that cannot begin: the configuration is wrong, only exhaustion of the machine passes.
  "command-not-found": permanent,
  "command-not-executable": permanent,
  "cwd-missing": permanent,
  "spawn-invalid": permanent,
  "spawn-exhausted": outage,
  // Before ready. An answered refusal is an answer; silence and an early exit may pass.
  "exited-before-ready": { ...transient, passes: "early" },
  "connect-timeout": { ...transient, passes: "remote" },
  "handshake-error": permanent,
  "version-mismatch": permanent,
  "not-mcp": permanent,
  "list-failed": transient,
  // A process that ended or stopped talking.
  "clean-exit": gentle,
  crashed: transient,
  killed: transient,
  "stdout-closed": transient,
  "stdin-closed": transient,
  // HTTP.
  "auth-required": permanent,
  forbidden: permanent,
  "session-lost": { ...gentle, passes: "remote" },
  "rate-limited": { ...outage, restartAfter: "retry-after" },
  "http-error": permanent,
  "server-error": { ...outage, restartAfter: "retry-after" },
  redirected: permanent,
  dns: outage,
  tls: permanent,
  refused: outage,
  reset: outage,
  // One answer that could not be read; the connection goes on.
  "not-json": transient,
  // Authorization: a person has to do something, and calls would not change that.
  "needs-authorization": { ...permanent, counts: "never" },
  "authorization-refused": { ...permanent, counts: "never" },
  "credentials-locked": { ...permanent, counts: "never" },
  // One call lacks a right; the connection is as good as before.
  "insufficient-scope": { ...permanent, counts: "never" },
  authorized: asked,
  // Health.
  unhealthy: { ...transient, passes: "remote" },
  stuck: { ...transient, restartAfter: "never" },
  // Asked for by somebody.
  start: asked,
  wake: asked,
  probe: asked,
  retry: asked,
  requested: asked,
  "restart-requested": asked,
  "config-changed": asked,
  "config-invalid": held,
  "approval-needed": held,
  disabled: held,
  "network-off": held,
  idle: asked,
  "max-lifetime": asked,
  removed: { ...held, permanent: false },
  stopping: { ...held, permanent: false },
  // Normal progress.
  opened: progress,
  initialized: progress,
  listed: progress,
  "tools-changed": progress,
  replaced: progress,
  reaped: progress,
  "gave-up": { ...permanent, counts: "never" },
  internal: transient,
};
