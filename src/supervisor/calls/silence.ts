import type { Failure } from "../../errors.js";
import { hintOf } from "../state/failures.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** What a call is told that got no answer in time. */
export function silenceFailure(call: Call, record: ServerRecord, total: boolean, sent: boolean): Failure {
  const { entry, idleMs, totalMs } = call.start;
  const who = `tool "${entry.tool.name}" of server "${record.spec.name}"`;
  if (!sent) {
    const state =
      record.live === undefined
        ? `the server is ${record.state} (${record.cause.message})`
        : `${record.inFlight} calls are in flight before it`;
    return {
      kind: "timeout",
      message: `${who} was not called within ${idleMs} ms: ${state}; nothing was sent`,
    };
  }
  const progressed = call.progressTold === -Infinity ? "" : ", though it reported progress";
  const limit = total ? `within ${totalMs} ms in all${progressed}` : `within ${idleMs} ms`;
  return {
    kind: "timeout",
    message: `${who} did not answer ${limit} and was told to cancel; raise ${total ? "maxTimeout" : "timeout"} if it needs longer${hintOf(record)}`,
  };
}
