import type { Cause, Sent } from "../../errors.js";
import { mayRetry } from "../../policy/retry.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** Whether a call whose connection or exchange broke goes out once more: only when that is certain to be its first run, or allowed. */
export function goesAgain(call: Call, { spec }: ServerRecord, cause: Cause, sent: Sent): boolean {
  // Over HTTP an exchange can be lost alone, such as one on a connection that the server has just closed.
  const isLost = isGone(cause) || call.channel?.open === false || cause.kind === "reset";
  const { annotations } = call.start.entry.tool;
  const { trusted, retry } = spec;
  return isLost && mayRetry({ sent, annotations, trusted, retry, attempts: call.attempts });
}

/** Nobody is there any more. */
export function isGone({ kind }: Cause): boolean {
  return kind === "refused" || kind === "dns";
}
