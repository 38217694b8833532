import type { ConfigProblem } from "../errors.js";
import type { ApprovalRecord, ApprovalSubject, FieldDifference } from "./entries/approval.js";
import { approvalFor, differenceOfEntries } from "./entries/approval.js";
import { fingerprintOf } from "./entries/fingerprint.js";
import { normalizeServer } from "./entries/normalize.js";
import type { ConfigEntry } from "./dialects/parse.js";
import { approvalText, dangerousTexts } from "./entries/approvalText.js";
import type { ServerSpec } from "../spec.js";

/** An entry of a project file that starts only after a person has approved it. */
export interface WaitingEntry {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly subject: ApprovalSubject;
  /** Against what was approved before under this name; against nothing for a new entry. */
  readonly difference: readonly FieldDifference[];
  /** Whether another version of it was approved before. */
  readonly changed: boolean;
  /** What it would run and see, in lines for a person; texts as written in the file, quoted. */
  readonly text: string;
  /** The texts of variables that would make its command load code, by name: they get a question of their own. */
  readonly loads: Readonly<Record<string, string>>;
  /** Its own wish to be trusted, with the dialect and the tools that then need no question. */
  readonly wishes: Pick<ServerSpec, "dialect" | "autoApprove"> & { readonly trusted: boolean };
  /** Whose place it would take: the file of another entry of this id, or "builtin". */
  readonly hides?: string;
}

export interface MergedFleet {
  readonly specs: readonly ServerSpec[];
  readonly waiting: readonly WaitingEntry[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * One fleet from the entries of all files, later files winning over earlier ones by id. An entry of a project file wins
 * (and is worth anything at all) once approved; invalid and waiting entries hide nobody, but are listed, held back,
 * where their id is free. `previous` keeps the last good version of an entry that is invalid now.
 */
export function mergeEntries(
  entries: readonly ConfigEntry[],
  approvals: readonly ApprovalRecord[],
  previous: readonly ServerSpec[] = [],
): MergedFleet {
  const specs = new Map<string, ServerSpec>();
  const waiting: WaitingEntry[] = [];
  const problems: ConfigProblem[] = [];
  const idle: ServerSpec[] = [];
  for (const entry of entries) {
    const spec = entry.spec ?? lastGood(entry, previous);
    if (spec === undefined) {
      idle.push(...invalidSpec(entry));
      continue;
    }
    const record = entry.scope === "project" ? approvalFor(approvals, entry) : undefined;
    if (entry.scope !== "project" || (record !== undefined && entry.spec !== undefined)) {
      place(specs, record === undefined ? spec : grant(spec, entry, record), problems, entry);
    } else if (entry.spec === undefined) place(specs, spec, problems, entry);
    else {
      const asked = waitingEntry(entry, spec, approvals, specs.get(spec.id)?.file);
      if (spec.enabled) waiting.push(asked);
      // The version that was approved goes on until the new one is: nothing takes the place of a running process unasked.
      const before = asked.changed && spec.enabled ? lastGood(entry, previous) : undefined;
      if (before !== undefined && before.held === undefined) place(specs, before, problems, entry);
      else idle.push(held(spec, entry.name));
    }
  }
  for (const spec of idle) if (!specs.has(spec.id)) specs.set(spec.id, spec);
  return { specs: [...specs.values()], waiting, problems };
}

function place(
  specs: Map<string, ServerSpec>,
  spec: ServerSpec,
  problems: ConfigProblem[],
  entry: Pick<ConfigEntry, "file" | "path" | "name">,
): void {
  const hidden = specs.get(spec.id);
  if (hidden?.file !== undefined && hidden.file === spec.file) {
    problems.push({
      severity: "warning",
      server: entry.name,
      file: entry.file,
      path: entry.path,
      message: `another entry of this file has the id "${spec.id}"; the last one counts`,
    });
  }
  const hides = hidden?.file === spec.file ? undefined : hidden?.file;
  specs.set(spec.id, hides === undefined ? spec : { ...spec, hides });
}

/** An approval makes the entry's own wish for trust count, and lets the approved variables through. */
function grant(spec: ServerSpec, entry: ConfigEntry, record: ApprovalRecord): ServerSpec {
  const trusted = entry.subject.trusted === true;
  const target =
    spec.target.kind === "stdio" && record.env.length > 0
      ? { ...spec.target, approvedEnv: record.env }
      : spec.target;
  const granted = { ...spec, trusted, target, approved: record.hash };
  return { ...granted, fingerprint: fingerprintOf(granted) };
}

function held(spec: ServerSpec, name: string): ServerSpec {
  const message = `"${name}" comes from a project file and waits for your approval`;
  return { ...spec, held: { kind: "approval-needed", message } };
}

function waitingEntry(
  entry: ConfigEntry,
  { dialect, autoApprove }: ServerSpec,
  approvals: readonly ApprovalRecord[],
  hides: string | undefined,
): WaitingEntry {
  const { id, name, file, subject, written } = entry;
  const before = approvals.findLast((each) => each.file === file && each.name === name)?.subject;
  return {
    id,
    name,
    file,
    subject,
    difference: differenceOfEntries(before, subject),
    changed: before !== undefined,
    text: approvalText(subject, written),
    loads: dangerousTexts(subject, written),
    wishes: { dialect, autoApprove, trusted: subject.trusted === true },
    ...(hides === undefined || hides === file ? {} : { hides }),
  };
}

function lastGood(entry: ConfigEntry, previous: readonly ServerSpec[]): ServerSpec | undefined {
  return previous.find(
    (each) => each.id === entry.id && each.file === entry.file && each.held?.kind !== "config-invalid",
  );
}

/** A stand-in that shows an invalid entry in every list, held back with the reason; nothing when its id is no id. */
function invalidSpec(entry: ConfigEntry): ServerSpec[] {
  const { id, name, scope, file } = entry;
  const { spec } = normalizeServer({ id, name, command: "invalid" }, { scope, file });
  const first = entry.problems.find((each) => each.severity === "error");
  if (spec === undefined || first === undefined) return [];
  const where = first.path === undefined ? "" : `${first.path} `;
  const hint = first.hint === undefined ? "" : ` (${first.hint})`;
  const target = { kind: "stdio", command: "", args: [], env: {}, inherit: "safe", pass: [] } as const;
  return [{ ...spec, target, held: { kind: "config-invalid", message: `${where}${first.message}${hint}` } }];
}
