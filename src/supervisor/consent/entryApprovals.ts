import type { WaitingEntry } from "../../config/merge.js";
import { readApprovals, saveApproval } from "../../config/store/records.js";
import { approvalHash } from "../../config/entries/approval.js";
import type { ApprovalRecord } from "../../config/entries/approval.js";
import type { Clock } from "../../clock.js";
import type { Approvals } from "../state/consent.js";

/** Questions about entries of project files: nothing of them starts before a person has said so. */
export interface EntryApprovals {
  /** Asks once per version of an entry; `onAllowed` is called after an approval was stored. */
  ask(waiting: readonly WaitingEntry[], onAllowed: () => void): void;
  /** What was approved: kept in the state folder, and for this session only. */
  records(): Promise<readonly ApprovalRecord[]>;
}

export function createEntryApprovals(approvals: Approvals, home: string, clock: Clock): EntryApprovals {
  const asked = new Map<string, string>();
  const session: ApprovalRecord[] = [];
  return {
    async records() {
      const { records } = await readApprovals(home);
      return [...records, ...session];
    },
    ask(waiting, onAllowed) {
      for (const entry of waiting) {
        const version = JSON.stringify(entry.subject);
        if (asked.get(entry.id) === version) continue;
        asked.set(entry.id, version);
        void consult(entry, onAllowed);
      }
    },
  };

  async function consult(entry: WaitingEntry, onAllowed: () => void): Promise<void> {
    const question = approvals.ask({
      kind: "server",
      server: entry.id,
      tool: "",
      title: entry.name,
      arguments: { command: entry.text },
      annotations: {},
      reason: entry.changed
        ? `the entry "${entry.name}" of ${entry.file} is not what was approved before`
        : `the project file ${entry.file} wants to start "${entry.name}"`,
      difference: entry.difference,
    });
    const verdict = await question?.verdict;
    if (verdict === undefined || verdict.decision === "deny") {
      // Nobody answered: the next load may ask again. A denial stands until the entry changes.
      if (verdict?.by !== "host") asked.delete(entry.id);
      return;
    }
    const env = await allowedVariables(entry);
    const at = clock.now();
    if (verdict.decision === "allow") await saveApproval(home, entry, { at, env });
    else session.push(recordOf(entry, env, at));
    onAllowed();
  }

  /** A question of their own for the variables that could turn the command into another program; nothing else passes them. */
  async function allowedVariables(entry: WaitingEntry): Promise<readonly string[]> {
    const names = Object.keys(entry.loads);
    if (names.length === 0) return names;
    const question = approvals.ask({
      kind: "server",
      server: entry.id,
      tool: "",
      title: `${entry.name}: ${names.join(", ")}`,
      arguments: { env: entry.loads },
      annotations: {},
      reason:
        `${names.join(", ")} of the entry "${entry.name}" of ${entry.file} can make its command run other code; ` +
        "without your approval they are dropped",
    });
    const verdict = await question?.verdict;
    return verdict === undefined || verdict.decision === "deny" ? [] : names;
  }
}

function recordOf({ file, name, subject }: WaitingEntry, env: readonly string[], at: number): ApprovalRecord {
  return { file, name, subject, hash: approvalHash(subject), env, at };
}
