import type { FactBody } from "../events.js";
import type { Target } from "../policy/failures.js";
import type { CallInfo, ToolResult } from "../tools/types.js";
import type { Call, Unit } from "./unit.js";

/** The facts about a call that its result carries, at this monotonic ms. */
export function callInfo(call: Call, unit: Unit, now: number): CallInfo {
  const { callId, entry, name, startedAt } = call.start;
  const queuedMs = (call.attempts === 0 ? now : call.sentAt) - startedAt;
  return {
    id: callId,
    server: unit.id,
    tool: entry.tool.name,
    name,
    queuedMs: round(queuedMs),
    durationMs: round(now - startedAt),
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

/** The fact that tells the end of a call: sizes and kinds, nothing of its content. */
export function settledFact(result: ToolResult): FactBody {
  const { id, ...info } = result.call;
  return {
    type: "mcp.call.settled",
    call: id,
    id: info.server,
    tool: info.tool,
    name: info.name,
    ok: result.ok,
    ...(result.ok ? {} : { failure: result.failure.kind }),
    sent: info.sent,
    queuedMs: info.queuedMs,
    durationMs: info.durationMs,
    resultChars: result.text.length,
  };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
