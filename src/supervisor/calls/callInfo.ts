import type { Target } from "../../policy/failures.js";
import { behalfMembers } from "../../streams/callFacts.js";
import type { Bus } from "../../streams/bus.js";
import type { CallInfo, ToolResult } from "../../tools/types.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** The facts about a call that its result carries, at this monotonic ms. */
export function callInfo(call: Call, record: ServerRecord, now: number): CallInfo {
  const { callId, entry, name, startedAt } = call.start;
  const approvalMs = call.approvalMs ?? (call.state === "deciding" ? now - startedAt : undefined);
  const queuedMs = (call.attempts === 0 ? now : call.sentAt) - startedAt - (approvalMs ?? 0);
  return {
    id: callId,
    server: record.id,
    tool: entry.tool.name,
    name,
    queuedMs: round(queuedMs),
    durationMs: round(now - startedAt),
    ...(approvalMs === undefined ? {} : { approvalMs: round(approvalMs) }),
    sent: call.sent,
  };
}

/** A call in a sentence: its tool and server. */
export function whoseCall({ start: { entry } }: Call): string {
  return `tool "${entry.tool.name}" of server "${entry.server}"`;
}

/** Whom the failures of a call are about. */
export function targetOf(call: Call): Target {
  const { server, tool } = call.start.entry;
  return { server, tool: tool.name };
}

/** Tells the end of a call: sizes and kinds, nothing of its content. */
export function tellSettled(bus: Bus, call: Call, result: ToolResult): void {
  const { id, server, tool, name, sent, queuedMs, durationMs, approvalMs } = result.call;
  const resultChars = result.text.length;
  const { count, entry } = call.start;
  if (result.ok && sent === "yes" && approvalMs === undefined)
    return bus.note({
      kind: "settled",
      route: entry,
      count,
      size: resultChars,
      queuedMs,
      durationMs,
      behalf: call.behalf,
    });
  bus.publish({
    type: "mcp.call.settled",
    call: id,
    id: server,
    tool,
    name,
    ok: result.ok,
    ...(result.ok ? {} : { failure: result.failure.kind }),
    sent,
    queuedMs,
    durationMs,
    ...(approvalMs === undefined ? {} : { approvalMs }),
    resultChars,
    ...behalfMembers(call.behalf),
  });
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
