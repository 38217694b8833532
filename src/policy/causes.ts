import type { CauseKind } from "../errors.js";

/** What follows from the end of a life. */
export interface CauseRow {
  /** Goes against the restart budget: always, only when the life was ready for less than 10 s, or never. */
  readonly counts: "always" | "early" | "never";
  /** Nothing gets better by trying again: park at once. */
  readonly permanent: boolean;
  /** When a new life may begin: without a wait, after a back-off, when the server said so, or not by itself. */
  readonly restartAfter: "at-once" | "backoff" | "retry-after" | "never";
  /** The tools stay visible while the server is down (a call to one of them wakes it). */
  readonly keepTools: boolean;
}

const transient: CauseRow = { counts: "always", permanent: false, restartAfter: "backoff", keepTools: true };
const permanent: CauseRow = { counts: "always", permanent: true, restartAfter: "never", keepTools: true };
const gentle: CauseRow = { counts: "early", permanent: false, restartAfter: "at-once", keepTools: true };
const asked: CauseRow = { counts: "never", permanent: false, restartAfter: "at-once", keepTools: true };
const held: CauseRow = { counts: "never", permanent: true, restartAfter: "never", keepTools: false };
const progress: CauseRow = { counts: "never", permanent: false, restartAfter: "at-once", keepTools: true };

/** The cause table: one row for each reason why a life ends, cannot begin, or changes state. */
export const causeTable: Readonly<Record<CauseKind, CauseRow>> = {
  // A process that cannot begin: the configuration is wrong, only exhaustion of the machine passes.
  "command-not-found": permanent,
  "command-not-executable": permanent,
  "cwd-missing": permanent,
  "spawn-invalid": permanent,
  "spawn-exhausted": transient,
  // Before ready. An answered refusal is an answer; silence and an early exit may pass.
  "exited-before-ready": transient,
  "connect-timeout": transient,
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
  "session-lost": gentle,
  "rate-limited": { ...transient, restartAfter: "retry-after" },
  "http-error": permanent,
  "server-error": { ...transient, restartAfter: "retry-after" },
  redirected: permanent,
  dns: transient,
  tls: permanent,
  refused: transient,
  reset: transient,
  // Health.
  unhealthy: transient,
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
