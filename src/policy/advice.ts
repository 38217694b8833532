import type { Cause, CauseKind } from "../errors.js";

/** What a person can do about a cause, as the end of a sentence. */
export function adviceFor(cause: Cause, otherwise = "call again, or look at the server's status"): string {
  const wait = cause.retryAfterMs;
  if (wait !== undefined) return `call again in ${Math.ceil(wait / 1000)} s`;
  return advice[cause.kind] ?? otherwise;
}

const advice: Readonly<Partial<Record<CauseKind, string>>> = {
  "command-not-found": "install the command or correct `command` in its configuration",
  "command-not-executable": "make the command executable or correct `command` in its configuration",
  "cwd-missing": "create the folder or correct `cwd` in its configuration",
  "spawn-invalid": "correct `command`, `args` and `env` in its configuration",
  "spawn-exhausted": "the machine is out of processes, files or memory; end something and call again",
  "connect-timeout": "raise `connectTimeout` if it needs longer to start",
  "version-mismatch": "update the server, or pin `protocolVersion` to one it speaks",
  "not-mcp": "check that `command` or `url` really leads to an MCP server",
  "needs-authorization": "a person has to log in, through the host",
  "authorization-refused": "a person has to look why the server refuses its token",
  "credentials-locked": "a person has to unlock the keyring of this machine",
  "auth-required": "set its credentials in `headers` or `env`",
  forbidden: "its credentials are not allowed to do this; check them",
  redirected: "use the address it moved to as `url`",
  dns: "check the host name in `url`",
  tls: "check the certificate of the host in `url`",
  refused: "start the service behind `url`, or correct it",
  "rate-limited": "call again later",
  "config-invalid": "correct its configuration",
  "approval-needed": "approve the entry of the project file first",
  disabled: "enable the server to use its tools",
  removed: "the server is no longer configured",
  "network-off": "switch the network on to use http servers",
  stopping: "the supervisor is stopping",
  stuck: "end the processes that are left of it",
};
