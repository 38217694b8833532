/** How busy a server is; the record of the one who counts fits as it is. */
export interface Load {
  /** It can take a call at this moment. */
  readonly ready: boolean;
  readonly inFlight: number;
  readonly queued: number;
}

/** What happens to a call: it is sent, waits, or is refused. */
export type Admission = "go" | "queue" | "overloaded";

/**
 * Admits one more call to a server. Calls that wait are never overtaken; a call waits while the server is not ready,
 * or has `inFlight` calls open; it is refused when `queued` calls wait already.
 */
export function admit(load: Load, limits: { readonly inFlight: number; readonly queued: number }): Admission {
  if (load.ready && load.queued === 0 && load.inFlight < limits.inFlight) return "go";
  return load.queued < limits.queued ? "queue" : "overloaded";
}
