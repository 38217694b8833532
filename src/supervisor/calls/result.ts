import type { Failure } from "../../errors.js";
import { isPassedOn } from "../../protocol/behalf.js";
import { resultTypeOf } from "../../protocol/rounds.js";
import type { Reply } from "../../rpc/pending.js";
import { withOutputCheck } from "../../tools/output.js";
import { renderResult } from "../../tools/result.js";
import type { Rendered } from "../../tools/result.js";
import type { CallInfo, ToolResult } from "../../tools/types.js";
import { maskedFailure } from "../state/failures.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

const none: readonly string[] = [];
const unfinished: Rendered = { ok: true, text: "", content: [], warnings: none };

/** The result of a call that failed before or instead of an answer. */
export function failed(call: CallInfo, failure: Failure, warnings: readonly string[] = none): ToolResult {
  return { ok: false, text: failure.message, content: [], warnings, call, failure };
}

/** The result of an answered call; a promise only when a validator must be loaded first. */
export function answered(
  call: Call,
  record: ServerRecord,
  reply: Reply & { kind: "result" },
  info: CallInfo,
): ToolResult | Promise<ToolResult> {
  const { entry } = call.start;
  const { limits, outputSchema } = record.spec;
  // A question or a task that the consumer carries on is not the result of the tool yet: there is nothing to render.
  if (isPassedOn(resultTypeOf(reply.result), call.behalf)) return compose(unfinished, record, info, none);
  const asked = { server: record.id, tool: entry.tool.name, resultChars: limits.resultChars };
  const rendered = renderResult(reply.result, asked);
  const checked = withOutputCheck(rendered, entry, outputSchema);
  const before = call.warnings ?? none;
  if (checked === rendered) return compose(rendered, record, info, before);
  const noteAndCompose = (each: Rendered): ToolResult => {
    // What the check found belongs into the status too: it will be found again with every call.
    const found = each.warnings[rendered.warnings.length];
    if (found !== undefined) record.warnings.set(`output:${info.tool}`, `tool "${info.tool}": ${found}`);
    return compose(each, record, info, before);
  };
  return checked instanceof Promise ? checked.then(noteAndCompose) : noteAndCompose(checked);
}

function compose(
  rendered: Rendered,
  record: ServerRecord,
  call: CallInfo,
  before: readonly string[],
): ToolResult {
  const { text, content } = rendered;
  const failure = rendered.failure === undefined ? undefined : maskedFailure(rendered.failure, record);
  const warnings = before.length === 0 ? rendered.warnings : [...before, ...rendered.warnings];
  // The usual result, without the copies that spreading makes.
  if (failure === undefined && !("structured" in rendered))
    return { ok: true, text, content, warnings, call };
  const structured = "structured" in rendered ? { structured: rendered.structured } : {};
  return failure === undefined
    ? { ok: true, text, content, ...structured, warnings, call }
    : { ok: false, text, content, ...structured, warnings, call, failure };
}

/** A call on somebody's behalf gives its answer as it came, too. */
export function withRaw({ raw }: Call, result: ToolResult): ToolResult {
  return raw === undefined ? result : { ...result, raw };
}
