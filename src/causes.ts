/**
 * Why a life of a server ended or could not begin, or why its state changed. What follows from each is in the cause
 * table, `policy/causes.ts`.
 */
export type CauseKind =
  /** The command was not found on PATH. Permanent. */
  | "command-not-found"
  /** The command is there but must not be run. Permanent. */
  | "command-not-executable"
  /** Its working directory does not exist. Permanent. */
  | "cwd-missing"
  /** The system refuses command, arguments or environment as they are. Permanent. */
  | "spawn-invalid"
  /** The machine is out of processes, files or memory. */
  | "spawn-exhausted"
  /** The process ended before the handshake was done. */
  | "exited-before-ready"
  /** Connecting, initializing and listing took longer than `connectTimeout`. */
  | "connect-timeout"
  /** It refused the handshake, or answered it with something else. Permanent. */
  | "handshake-error"
  /** It speaks no revision of MCP that we do. Permanent. */
  | "version-mismatch"
  /** What it sends is no MCP. Permanent. */
  | "not-mcp"
  /** Its tools could not be listed. */
  | "list-failed"
  /** Its process ended with exit code 0. */
  | "clean-exit"
  /** Its process ended with another exit code. */
  | "crashed"
  /** Its process was ended by a signal. */
  | "killed"
  /** It closed its output while it ran. */
  | "stdout-closed"
  /** It closed its input while it ran. */
  | "stdin-closed"
  /** HTTP 401 (RFC 9110, 15.5.2). Permanent. */
  | "auth-required"
  /** HTTP 403. Permanent. */
  | "forbidden"
  /** The server does not know our session any more (MCP, Streamable HTTP, Session Management). */
  | "session-lost"
  /** HTTP 429 (RFC 6585, 4): tried again when the server said so. */
  | "rate-limited"
  /** Another HTTP status of 4xx, or an answer that is none. Permanent. */
  | "http-error"
  /** HTTP 5xx. */
  | "server-error"
  /** A redirect that leads to another origin. Permanent. */
  | "redirected"
  /** The name of the host could not be resolved. */
  | "dns"
  /** The certificate of the host is not trusted. Permanent. */
  | "tls"
  /** Nothing listens at the address. */
  | "refused"
  /** The connection broke. */
  | "reset"
  /** An answer that is no JSON: the call fails alone, the connection goes on. */
  | "not-json"
  /** It wants a token, and there is none that works: a person has to log in (docs/authorization.md). Permanent. */
  | "needs-authorization"
  /** It refuses a token that was issued moments ago. Permanent. */
  | "authorization-refused"
  /** The keyring does not give the key of its tokens. Permanent. */
  | "credentials-locked"
  /** One call lacks a scope (RFC 6750, 3.1); the connection is as good as before. */
  | "insufficient-scope"
  /** Somebody has logged in. */
  | "authorized"
  /** It does not answer pings, or floods us. */
  | "unhealthy"
  /** Processes of its last life could not be ended; no new life meanwhile. */
  | "stuck"
  /** The supervisor began. */
  | "start"
  /** A call needed it. */
  | "wake"
  /** A parked server is tried by itself after a long time, or once for a call. */
  | "probe"
  /** The back-off is over. */
  | "retry"
  /** Somebody connected or disconnected it. */
  | "requested"
  /** Somebody restarted it. */
  | "restart-requested"
  /** Its entry has changed. */
  | "config-changed"
  /** Its entry makes no sense; `problems()` says where. */
  | "config-invalid"
  /** Its entry of a project file waits for an approval. */
  | "approval-needed"
  /** Its entry is switched off. */
  | "disabled"
  /** It is reached over HTTP, and the option `network` is false. */
  | "network-off"
  /** No call came for `idleTimeout`. */
  | "idle"
  /** Its life was as long as `maxLifetime`. */
  | "max-lifetime"
  /** Its entry is gone. */
  | "removed"
  /** The supervisor stops. */
  | "stopping"
  /** Progress: the connection is open. */
  | "opened"
  /** Progress: the handshake is done. */
  | "initialized"
  /** Progress: the tools are listed. */
  | "listed"
  /** Progress: it told that its tools have changed. */
  | "tools-changed"
  /** Progress: a new life has taken over. */
  | "replaced"
  /** Progress: nothing is left of the last life. */
  | "reaped"
  /** It ended too often within the restart budget; parked. */
  | "gave-up"
  /** A fault of mcpvisor itself. */
  | "internal";

/** A cause with what is known about it. */
export interface Cause {
  /** What a program reacts to. */
  readonly kind: CauseKind;
  /** One plain sentence without secrets. */
  readonly message: string;
  /** Exit code of the process, if it ended with one. */
  readonly exitCode?: number;
  /** Signal that ended the process, such as `SIGKILL`. */
  readonly signal?: string;
  /** Status of the HTTP answer (RFC 9110, 15), if there was one. */
  readonly httpStatus?: number;
  /** Code of a JSON-RPC error that the server answered with. */
  readonly rpcCode?: number;
  /** When the server wants to be asked again (Retry-After: RFC 9110, 10.2.3), in milliseconds from then. */
  readonly retryAfterMs?: number;
  /** Last lines of stderr, masked, newest last. */
  readonly stderrTail?: readonly string[];
}
