import type { Failure } from "../errors.js";
import type { Call, Unit } from "./unit.js";

/** Oddities of the server that may explain why no answer could be matched. */
const telling = ["unknown-id", "error-without-id", "odd-message", "too-large", "too-deep"];

/** What a call is told that got no answer in time. */
export function silenceFailure(call: Call, unit: Unit, total: boolean, sent: boolean): Failure {
  const { entry, idleMs, totalMs } = call.start;
  const who = `tool "${entry.tool.name}" of server "${unit.spec.name}"`;
  if (!sent) {
    const state =
      unit.live === undefined
        ? `the server is ${unit.state} (${unit.cause.message})`
        : `${unit.inFlight} calls are in flight before it`;
    return {
      kind: "timeout",
      message: `${who} was not called within ${idleMs} ms: ${state}; nothing was sent`,
    };
  }
  const limit = total ? `within ${totalMs} ms in all, though it reported progress` : `within ${idleMs} ms`;
  return {
    kind: "timeout",
    message: `${who} did not answer ${limit} and was told to cancel; raise timeout if it needs longer${hintOf(unit)}`,
  };
}

/** What a server did meanwhile that may be why nothing was understood as its answer; empty when nothing is known. */
export function hintOf(unit: Unit, also: readonly string[] = []): string {
  const notes = [...also, ...telling].flatMap((kind) => unit.warnings.get(kind) ?? []);
  return notes.length === 0 ? "" : `; note: ${notes.join("; ")}`;
}
