import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import type { Behalf } from "../../protocol/behalf.js";
import type { InputRequest } from "../../protocol/rounds.js";
import { whoseCall } from "./callInfo.js";
import type { SharedState } from "../state/sharedState.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** Asks the host for everything a server wants to know; the clock of the call stands still meanwhile. */
export async function answerAll(
  call: Call,
  record: ServerRecord,
  requests: readonly InputRequest[],
  shared: SharedState,
): Promise<{ readonly answers: Record<string, unknown> } | { readonly failure: Failure }> {
  const answers: Record<string, unknown> = {};
  if (requests.length === 0) return { answers };
  const controller = new AbortController();
  call.question = controller;
  call.pause(elapsedOf(shared.clock));
  try {
    for (const { key, method, params } of requests) {
      const answer = await (askerOf(call, record, shared)(method, params, controller.signal) ??
        unasked(method));
      if (answer === undefined || "error" in answer) return { failure: unanswered(call, method) };
      answers[key] = answer.result;
    }
    return { answers };
  } finally {
    call.question = undefined;
    call.resume(elapsedOf(shared.clock));
  }
}

/** Who answers for a call: the consumer behind it, or the host. */
function askerOf(call: Call, record: ServerRecord, shared: SharedState): NonNullable<Behalf["ask"]> {
  const { behalf } = call;
  if (behalf !== undefined) return behalf.ask ?? (() => undefined);
  return (method, params, signal) => shared.inputs.ask(record.id, method, params, signal);
}

/** What is said for a host that answers no such requests; undefined when there is no polite way. */
function unasked(method: string): { readonly result: object } | undefined {
  if (method === "elicitation/create") return { result: { action: "decline" } };
  return method === "roots/list" ? { result: { roots: [] } } : undefined;
}

function unanswered(call: Call, method: string): Failure {
  return {
    kind: "protocol-error",
    message: `${whoseCall(call)} needs ${method.slice(0, 60)}, which this host does not answer`,
  };
}
