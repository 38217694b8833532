import type { ApprovalRecord, ApprovalSubject } from "../entries/approval.js";
import { approvalHash } from "../entries/approval.js";
import { isRecord } from "../fields/fields.js";
import { readGuarded } from "../files/load.js";
import { inTurn } from "./inTurn.js";

/** A small JSON file of ours as found: its value, nothing yet, or unreadable, which must never count as empty. */
export type StoreReading =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly message: string };

/** Reads a JSON file of the state folder, guarded like a configuration file. */
export async function readStore(file: string): Promise<StoreReading> {
  const found = await readGuarded(file);
  if (found.kind === "absent") return found;
  if (found.kind === "refused") return { kind: "unreadable", message: `${file}: ${found.problem.message}` };
  try {
    return { kind: "value", value: JSON.parse(found.text) };
  } catch {
    return { kind: "unreadable", message: `${file} holds no JSON` };
  }
}

/**
 * Changes a JSON file of the state folder (0600) while no other process does: what is written comes of what is in it
 * now. Undefined leaves it as it is.
 */
export async function changeStore(file: string, change: (found: StoreReading) => unknown): Promise<void> {
  await inTurn(file, async (held) => {
    const next = change(await readStore(file));
    if (next !== undefined) await held.write(`${JSON.stringify(next, undefined, 2)}\n`);
  });
}

/** The approvals of a state folder; an unreadable store holds none, and `problem` says so. */
export async function readApprovals(
  home: string,
): Promise<{ records: readonly ApprovalRecord[]; problem?: string }> {
  return approvalsIn(home, await readStore(approvalsFile(home)));
}

function approvalsIn(
  home: string,
  found: StoreReading,
): { records: readonly ApprovalRecord[]; problem?: string } {
  if (found.kind === "absent") return { records: [] };
  const list = found.kind === "value" && isRecord(found.value) ? found.value["approvals"] : undefined;
  if (Array.isArray(list)) return { records: list.filter(isApproval) };
  const problem =
    found.kind === "unreadable" ? found.message : `${approvalsFile(home)} has not the shape it should have`;
  return { records: [], problem: `${problem}; every project entry has to be approved anew` };
}

/** Keeps an approval for exactly this entry; it takes the place of an earlier one of the same file and name. */
export async function saveApproval(
  home: string,
  entry: { readonly file: string; readonly name: string; readonly subject: ApprovalSubject },
  options: { readonly at: number; readonly env?: readonly string[] },
): Promise<ApprovalRecord> {
  const { file, name, subject } = entry;
  const record = { file, name, hash: approvalHash(subject), subject, env: options.env ?? [], at: options.at };
  await changeApprovals(home, (records) => [...records.filter((each) => !isOf(each, entry)), record]);
  return record;
}

/** Takes the approval of an entry back; true when there was one. */
export async function removeApproval(home: string, entry: { file: string; name: string }): Promise<boolean> {
  let found = false;
  await changeApprovals(home, (records) => {
    found = records.some((each) => isOf(each, entry));
    return records.filter((each) => !isOf(each, entry));
  });
  return found;
}

async function changeApprovals(
  home: string,
  change: (records: readonly ApprovalRecord[]) => readonly ApprovalRecord[],
): Promise<void> {
  await changeStore(approvalsFile(home), (found) => ({
    version: 1,
    approvals: change(approvalsIn(home, found).records),
  }));
}

function approvalsFile(home: string): string {
  return `${home}/approvals.json`;
}

function isOf(record: ApprovalRecord, entry: { readonly file: string; readonly name: string }): boolean {
  return record.file === entry.file && record.name === entry.name;
}

/** A row counts only when its hash fits its subject: a row edited by hand approves nothing else than it shows. */
function isApproval(value: unknown): value is ApprovalRecord {
  if (!isRecord(value) || !isRecord(value["subject"])) return false;
  const { file, name, hash, subject, env } = value as unknown as ApprovalRecord;
  const names = Array.isArray(env) && env.every((each) => typeof each === "string");
  return typeof file === "string" && typeof name === "string" && names && hash === approvalHash(subject);
}
