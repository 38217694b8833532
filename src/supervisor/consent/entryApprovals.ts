import type { WaitingEntry } from "../../config/merge.js";
import { readApprovals, saveApproval } from "../../config/store/records.js";
import { approvalHash } from "../../config/entries/approval.js";
import type { ApprovalRecord } from "../../config/entries/approval.js";
import type { Clock } from "../../clock.js";
import { allows } from "../../policy/decision.js";
import { noRemedies } from "../../policy/remedies.js";
import type { PermissionMode } from "../../policy/permission.js";
import type { Approvals, Question } from "../state/consent.js";
import { asksFor } from "./entryText.js";
import type { Grants } from "./grants.js";

/** Questions about entries of project files: nothing of them starts before a person has said so. */
export interface EntryApprovals {
  /** Asks once per version of an entry; `onAllowed` is called after an approval counts. */
  ask(waiting: readonly WaitingEntry[], onAllowed: () => void): void;
  /** What was approved: kept in the state folder, for this session, and for the life that runs. */
  records(): Promise<readonly ApprovalRecord[]>;
  /** Told when a life was refused: what waits now has to be looked for. */
  onRefused(listener: () => void): void;
}

export interface EntryApprovalOptions {
  readonly approvals: Approvals;
  readonly grants: Grants;
  readonly home: string;
  readonly clock: Clock;
  readonly mode: PermissionMode | undefined;
}

export function createEntryApprovals(options: EntryApprovalOptions): EntryApprovals {
  const { approvals, grants, home, clock, mode } = options;
  const asked = new Map<string, string>();
  return {
    async records() {
      const { records } = await readApprovals(home);
      return [...records, ...grants.records()];
    },
    ask(waiting, onAllowed) {
      for (const entry of waiting) {
        const version = JSON.stringify(entry.subject);
        if (asked.get(entry.id) === version) continue;
        asked.set(entry.id, version);
        void consult(entry, onAllowed);
      }
    },
    onRefused(listener) {
      grants.onRefused((id, isSpent) => {
        if (isSpent) asked.delete(id);
        listener();
      });
    },
  };

  async function consult(entry: WaitingEntry, onAllowed: () => void): Promise<void> {
    const question = approvals.ask({
      ...about(entry),
      title: entry.name,
      arguments: { command: asksFor(entry, mode) },
      reason: entry.changed
        ? `the entry "${entry.name}" of ${entry.file} is not what was approved before`
        : `the project file ${entry.file} wants to start "${entry.name}"`,
      answers: ["allow", "allow-for-session", "allow-for-good", "deny"],
      difference: entry.difference,
    });
    const verdict = await question?.verdict;
    if (verdict === undefined || !allows(verdict.decision)) {
      // Nobody answered: the next load may ask again. A denial stands until the entry changes.
      if (verdict?.by !== "host") asked.delete(entry.id);
      return;
    }
    const env = await allowedVariables(entry);
    const at = clock.now();
    grants.forget(entry.id);
    if (verdict.decision === "allow-for-good") await saveApproval(home, entry, { at, env });
    else
      grants.add(entry.id, recordOf(entry, env, at), verdict.decision === "allow" ? "one life" : "session");
    onAllowed();
  }

  /** A question of their own for the variables that could turn the command into another program; nothing else passes them. */
  async function allowedVariables(entry: WaitingEntry): Promise<readonly string[]> {
    const names = Object.keys(entry.loads);
    if (names.length === 0) return names;
    const question = approvals.ask({
      ...about(entry),
      title: `${entry.name}: ${names.join(", ")}`,
      arguments: { env: entry.loads },
      reason:
        `${names.join(", ")} of the entry "${entry.name}" of ${entry.file} can make its command run other code; ` +
        "without your approval they are dropped, and with it they hold as long as the approval of the entry",
      answers: ["allow", "deny"],
    });
    return allows((await question?.verdict)?.decision) ? names : [];
  }
}

function about({
  id,
}: WaitingEntry): Pick<Question, "kind" | "server" | "tool" | "annotations" | "remedies"> {
  return { kind: "server", server: id, tool: "", annotations: {}, remedies: noRemedies };
}

function recordOf({ file, name, subject }: WaitingEntry, env: readonly string[], at: number): ApprovalRecord {
  return { file, name, subject, hash: approvalHash(subject), env, at };
}
