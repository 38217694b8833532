import type { Offer } from "../contract/offer.js";
import { refused } from "./callRunner.js";
import type { RunCall } from "./callRunner.js";
import { twiceOneId } from "./texts.js";
import type { CallOutcome, ModelCall, RunOptions } from "../contract/calls.js";

/**
 * Runs the calls of one message of a model: at the same time, answered in their order, each settled exactly once.
 * Never rejects. A message that is handed in again (same ids, same calls) is answered from memory where running a tool
 * twice could do harm; only the last message is remembered.
 */
export function batchRunner(offer: Offer, runCall: RunCall) {
  let last = new Map<string, { readonly key: string; readonly outcome: Promise<CallOutcome> }>();

  return async (calls: readonly ModelCall[], options: RunOptions = {}): Promise<readonly CallOutcome[]> => {
    const before = last;
    const now: typeof last = new Map();
    last = now;
    const outcomes = calls.map((call) => {
      if (call.id === undefined || call.id === "") return runCall(call, options);
      if (now.has(call.id)) return Promise.resolve(refused(call, "repeated", twiceOneId(call.id)));
      const key = `${call.name} ${textOf(call.arguments)}`;
      const known = before.get(call.id);
      const again = () => runCall(call, options);
      const replay = known?.key === key && !harmless(call.name, offer);
      const outcome = replay ? known.outcome.then((each) => (mayHaveRun(each) ? each : again())) : again();
      now.set(call.id, { key, outcome });
      return outcome;
    });
    return Promise.all(outcomes);
  };
}

/** One outcome per id, for APIs that take one answer to each: what is said of a second call joins the first. */
export function perId(outcomes: readonly CallOutcome[]): readonly CallOutcome[] {
  if (!outcomes.some((each) => each.failure === "repeated")) return outcomes;
  const byId = new Map<unknown, CallOutcome>();
  for (const outcome of outcomes) {
    const id = outcome.call.id ?? outcome;
    const first = byId.get(id);
    byId.set(id, first === undefined ? outcome : { ...first, text: `${first.text}\n\n${outcome.text}` });
  }
  return [...byId.values()];
}

function mayHaveRun({ result }: CallOutcome): boolean {
  return result !== undefined && result.call.sent !== "no";
}

function harmless(name: string, offer: Offer): boolean {
  const tool = offer.find(name);
  return tool === undefined || tool.descriptor?.annotations.readOnlyHint === true;
}

function textOf(args: unknown): string {
  return typeof args === "string" ? args : (JSON.stringify(args) ?? "");
}
