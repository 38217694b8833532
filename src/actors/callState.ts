/** Where a call is on its way. Each change is a fact or a field of its result. */
export type CallState = "waiting" | "deciding" | "queued" | "sent" | "settled";

/** What happens to a call. */
export type CallEvent =
  /** A person must be asked. */
  | "ask"
  /** It may run, but its server is not ready or has no free slot. */
  | "queue"
  /** Its connection was handed to the transport. */
  | "send"
  /** It provably never ran and goes back into the queue. */
  | "requeue"
  | "settle";

/** The next state of a call, or undefined when the event has no meaning there: a call settles once, whoever tries again. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  if (state === "settled") return undefined;
  switch (event) {
    case "settle":
      return "settled";
    case "send":
      return state === "sent" ? undefined : "sent";
    case "queue":
      return state === "waiting" || state === "deciding" ? "queued" : undefined;
    case "ask":
      return state === "waiting" ? "deciding" : undefined;
    case "requeue":
      return state === "sent" ? "queued" : undefined;
  }
}
