/** The states of a server as hosts see them (docs/states.md). */
export type ServerState =
  /** Switched off in the configuration. */
  | "disabled"
  /** No life; begins with a call, or when somebody connects it. */
  | "idle"
  /** Its process is spawned, or its address is dialled. */
  | "connecting"
  /** The handshake: versions and capabilities. */
  | "initializing"
  /** Its tools are listed for the first time. */
  | "listing"
  /** Calls are taken. */
  | "ready"
  /** Calls are taken; its tools are listed again. */
  | "refreshing"
  /** Calls are taken; a new life comes up beside the old one. */
  | "replacing"
  /** No new calls; those in flight get up to 10 s. */
  | "draining"
  /** Waits until nothing of the last life is left. */
  | "closing"
  /** Processes of the last life could not be ended; no new life meanwhile. */
  | "stuck"
  /** Between two lives; left at once. */
  | "deciding"
  /** Waits out the back-off. */
  | "reconnecting"
  /** Is not tried by itself any more; a call or a person may try once. */
  | "parked"
  /** Somebody logs in; calls wait for the end of it. */
  | "authorizing"
  /** Gone for good. */
  | "retired";

const serving: ReadonlySet<ServerState> = new Set(["ready", "refreshing", "replacing"]);

/** Whether a server in this state takes calls. */
export function isServing(state: ServerState | "new"): boolean {
  return serving.has(state as ServerState);
}
