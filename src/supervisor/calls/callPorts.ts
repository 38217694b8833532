import type { Failure } from "../../errors.js";
import type { RawTool } from "../../protocol/mcp.js";
import type { ProgressNote, Reply } from "../../rpc/pending.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** What follows an answer that is not yet the result of its call, done by the dispatcher. */
export interface CallPorts {
  fail(call: Call, record: ServerRecord, failure: Failure): void;
  complete(call: Call, record: ServerRecord, reply: Reply & { kind: "result" }): void;
  /** Sends the request of a call that is under way once more, under a new id, on the same connection. */
  resend(call: Call, tool?: RawTool): void;
  progressed(call: Call, note: ProgressNote): void;
}
