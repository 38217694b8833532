import type { Failure } from "../../errors.js";
import type { SharedState } from "../state/sharedState.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/**
 * Why a call that has waited must not go out any more: a list that came meanwhile has made another tool of what was
 * decided about. Undefined when it may.
 */
export function outlived(
  call: Call,
  record: ServerRecord,
  { catalog, permissions }: SharedState,
): Failure | undefined {
  const { name, entry } = call.start;
  const now = catalog.find(name);
  if (now === entry) return undefined;
  if (now === undefined)
    return { kind: "unknown-tool", message: `tool "${name}" was not called: it is not offered any more` };
  const { decision, reason } = permissions.decide(record, now);
  if (decision === "allow") return undefined;
  return {
    kind: "denied",
    message: `"${name}" was not called: it became another tool while the call waited (${reason}); call it again to decide anew`,
  };
}
