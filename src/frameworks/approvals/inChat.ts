import type { ApprovalRequest, Decision, SupervisorOptions } from "../../index.js";
import { questionText } from "./questionText.js";

/** A question as it is put to a user in a conversation. */
export interface ChatQuestion {
  /** The question as the supervisor asks it, arguments masked. */
  readonly request: ApprovalRequest;
  /** Ready to show: tool, server, masked arguments, reason, what to answer. */
  readonly text: string;
  /** Aborted when the question is over: answered elsewhere, timed out, or its call was cancelled. */
  readonly signal: AbortSignal;
}

/** How questions are put to the user of a conversation. */
export interface ChatApprovalOptions {
  /**
   * Puts the question to the user and resolves with what they write: yes, no, always (in a few languages of the field
   * and as a decision). Anything else is asked again, at last denied. A rejection denies.
   */
  readonly ask: (question: ChatQuestion) => Promise<string>;
  /** How often an answer that says neither yes nor no is asked again. Default: 1. */
  readonly again?: number;
}

const yes = /^(?:y|yes|ok|okay|sure|allow|approve[d]?|go ahead|do it|ja|oui|si|sí)\b/i;
const always =
  /^(?:a|always|yes,? always|allow[- ]for[- ]session|allow always|always allow|immer|toujours|siempre)\b/i;
const no = /^(?:n|no|nope|deny|denied|refuse|reject|never|stop|cancel|nein|non)\b/i;

/**
 * For `approve` of a supervisor or of one call: asks in the conversation, one question at a time, because a user who
 * reads "yes" to one question must not have answered another.
 */
export function approveInChat(options: ChatApprovalOptions): NonNullable<SupervisorOptions["approve"]> {
  let before: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const turn = before.then(() => (signal.aborted ? "deny" : decide(request, signal, options)));
    before = turn.catch(() => undefined);
    return turn;
  };
}

async function decide(
  request: ApprovalRequest,
  signal: AbortSignal,
  { ask, again = 1 }: ChatApprovalOptions,
): Promise<Decision> {
  const over = new Promise<undefined>((done) =>
    signal.addEventListener("abort", () => done(undefined), { once: true }),
  );
  for (let left = again; left >= 0; left--) {
    const answer = await Promise.race([ask({ request, text: questionText(request), signal }), over]);
    if (answer === undefined || signal.aborted) return "deny";
    const words = answer.trim();
    if (no.test(words)) return "deny";
    if (always.test(words))
      return request.answers.includes("allow-for-session") ? "allow-for-session" : "allow";
    if (yes.test(words)) return "allow";
  }
  return "deny";
}
