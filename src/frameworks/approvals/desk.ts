import type { ApprovalRequest, Decision, Supervisor } from "../../index.js";
import { questionText } from "./questionText.js";

/** Where the references of asked questions are kept, so that a restarted host does not ask again. */
export interface DeskStore {
  /** The references that were saved last; empty at first. A rejection ends `approvalDesk`. */
  load(): Promise<readonly string[]>;
  /** Keeps all references of open questions; called after each change, one at a time. A rejection is passed over. */
  save(references: readonly string[]): Promise<void>;
}

/** A question to be posted. */
export interface DeskQuestion {
  /** Names this question for good; put it into the buttons of the message. */
  readonly reference: string;
  /** The question as the supervisor asks it, arguments masked. */
  readonly request: ApprovalRequest;
  /** Ready to show: tool, server, masked arguments, reason. */
  readonly text: string;
}

/** Where questions are posted and kept. */
export interface DeskOptions {
  /** Posts a question somewhere: a channel, a mail. Called once per question, over restarts of the host too. */
  readonly post: (question: DeskQuestion) => Promise<void>;
  /** Told when a question is over without this desk: timed out, cancelled, decided elsewhere. */
  readonly over?: (reference: string) => void;
  /** Default: memory, so a restarted host asks again. */
  readonly store?: DeskStore;
}

/** What became of an answer. */
export type DeskAnswer =
  /** The call goes on, or is denied, as the answer says. */
  | "decided"
  /** The question was over: its call was denied or ended. */
  | "too-late";

/** Takes the answers of people. */
export interface ApprovalDesk {
  /** The answer of a person to a reference, whenever it comes. Never allows anything but the very question asked. */
  answer(reference: string, decision: Decision): DeskAnswer;
  /** Posts nothing more; open questions stay open. */
  close(): void;
}

/** The part of a supervisor that a desk needs. */
export type Asked = Pick<Supervisor, "approvals" | "approvals$" | "decide">;

/**
 * For answers that come later, such as from buttons in a chat of a team. Give the supervisor no `approve`, and an
 * `approvalTimeout` that is long enough. A reference stands for one question of one life of the supervisor: an old
 * answer never decides a new question that got the same id.
 */
export async function approvalDesk(supervisor: Asked, options: DeskOptions): Promise<ApprovalDesk> {
  const asked = new Set(await options.store?.load());
  let open = new Map<string, ApprovalRequest>();
  let saving: Promise<unknown> = Promise.resolve();

  function look(requests: readonly ApprovalRequest[]): void {
    const now = new Map(requests.map((request) => [referenceOf(request), request]));
    const before = new Set([...open.keys(), ...asked]);
    open = now;
    let changed = false;
    for (const reference of before) {
      if (now.has(reference)) continue;
      changed = asked.delete(reference) || changed;
      options.over?.(reference);
    }
    for (const [reference, request] of now) {
      if (asked.has(reference)) continue;
      asked.add(reference);
      changed = true;
      void put({ reference, request, text: questionText(request) });
    }
    if (changed) saving = saving.then(() => options.store?.save([...asked])).catch(() => undefined);
  }

  async function put(question: DeskQuestion): Promise<void> {
    try {
      await options.post(question);
    } catch {
      // Not posted, so not asked: the next look tries again.
      asked.delete(question.reference);
    }
  }

  const subscription = supervisor.approvals$.subscribe(look);
  look(supervisor.approvals());

  return {
    answer: (reference, decision) => {
      const request = supervisor.approvals().find((each) => referenceOf(each) === reference);
      return request !== undefined && supervisor.decide(request.id, decision) ? "decided" : "too-late";
    },
    close: () => subscription.unsubscribe(),
  };
}

/** Ids count anew in every life of a supervisor; the moment of asking does not come twice. */
function referenceOf({ id, askedAt }: ApprovalRequest): string {
  return `${id}.${askedAt.toString(36)}`;
}
