import { isDangerousName } from "../../policy/environment.js";
import { sha256 } from "../../tools/sha256.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { canonicalJson } from "./hash.js";

/**
 * What a person approves when an entry of a project file may start: everything that decides what runs and what it gets
 * to see, as written in the file (placeholders not filled in), and no value of a variable or header.
 */
export interface ApprovalSubject {
  readonly transport: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  /** Sorted names. */
  readonly env: readonly string[];
  /**
   * SHA-256 of the text in the file for each variable that could turn the command into another program: such a text
   * decides what runs. Absent when there are none.
   */
  readonly dangerous?: Readonly<Record<string, string>>;
  /** Sorted names. */
  readonly headers: readonly string[];
  /** Sorted names of variables of our environment that its texts use or that `pass` hands on. */
  readonly reads: readonly string[];
  /** That it wants its hints and auto_approve to count, and for which tools. */
  readonly trusted?: boolean;
  readonly autoApprove?: readonly string[];
}

/** An approval as kept in approvals.json. */
export interface ApprovalRecord {
  readonly file: string;
  readonly name: string;
  /** SHA-256 of the subject in canonical JSON. */
  readonly hash: string;
  readonly subject: ApprovalSubject;
  /** Dangerous variables (LD_PRELOAD, NODE_OPTIONS …) that were approved by name. */
  readonly env: readonly string[];
  /** Epoch ms. */
  readonly at: number;
}

/** One field of an entry that is not as it was approved; texts for people, without values of env or headers. */
export interface FieldDifference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** What of an entry has to be approved; `variables` are the names its placeholders read. */
export function subjectOf(fields: Fields, variables: readonly string[]): ApprovalSubject {
  const pass = list(fields["pass"]);
  const trusted = fields["trusted"] === true;
  return {
    transport:
      typeof fields["transport"] === "string"
        ? fields["transport"]
        : fields["url"] === undefined
          ? "stdio"
          : "http",
    ...textField(fields, "command"),
    ...(fields["command"] === undefined ? {} : { args: list(fields["args"]) }),
    ...textField(fields, "cwd"),
    ...textField(fields, "url"),
    env: namesOf(fields["env"]),
    ...dangerousOf(fields["env"]),
    headers: namesOf(fields["headers"]),
    reads: [...new Set([...variables, ...pass])].toSorted(),
    // Only with trust do these count; without it they may change without a question.
    ...(trusted ? { trusted, autoApprove: list(fields["auto_approve"]).toSorted() } : {}),
  };
}

function dangerousOf(env: unknown): Pick<ApprovalSubject, "dangerous"> {
  const found = isRecord(env) ? Object.entries(env).filter(([name]) => isDangerousName(name)) : [];
  const hashes = found.map(([name, value]) => [name, sha256(String(value))]);
  return found.length === 0 ? {} : { dangerous: Object.fromEntries(hashes) };
}

/** The hash an approval is bound to. */
export function approvalHash(subject: ApprovalSubject): string {
  return sha256(canonicalJson(subject));
}

/** The approval of an entry, if there is one for exactly this content. */
export function approvalFor(
  records: readonly ApprovalRecord[],
  entry: { readonly file: string; readonly name: string; readonly subject: ApprovalSubject },
): ApprovalRecord | undefined {
  const hash = approvalHash(entry.subject);
  return records.find((each) => each.file === entry.file && each.name === entry.name && each.hash === hash);
}

/** Field by field, what is not as it was (a variable that came or went is told once, in `env`); `before` is undefined for an entry that nobody approved yet. */
export function differenceOfEntries(
  before: ApprovalSubject | undefined,
  after: ApprovalSubject,
): FieldDifference[] {
  const old: Fields = { ...before };
  const now: Fields = { ...after };
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .filter((field) => canonicalJson(old[field]) !== canonicalJson(now[field]))
    .map((field) => ({ field, before: shown(old[field]), after: shown(now[field]) }))
    .filter((each) => each.before !== each.after)
    .filter(({ field }, _, all) => field !== "dangerous" || all.every((each) => each.field !== "env"));
}

/** What an entry would run, in lines for a person who decides; env and headers by name only. */
export function approvalText(subject: ApprovalSubject): string {
  const lines: [string, string | undefined][] = [
    [
      "runs",
      subject.command === undefined
        ? undefined
        : [subject.command, ...(subject.args ?? [])].map(quoted).join(" "),
    ],
    ["connects to", subject.url],
    ["in", subject.cwd],
    ["sets", subject.env.join(", ")],
    ["sends the headers", subject.headers.join(", ")],
    ["reads from your environment", subject.reads.join(", ")],
    [
      "wants to be trusted, without questions for",
      subject.trusted ? shown(subject.autoApprove) || "no tool" : undefined,
    ],
    ["dropped unless approved by name", Object.keys(subject.dangerous ?? {}).join(", ")],
  ];
  return lines
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value]) => `${label}: ${value}`)
    .join("\n");
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, hash]) => `${name} (sha256 ${String(hash).slice(0, 12)})`)
      .join(" ");
  if (Array.isArray(value)) return value.map((each) => quoted(String(each))).join(" ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(text: string): string {
  return /^[\w./:=@%+,$-]+$/.test(text) ? text : JSON.stringify(text);
}

function textField(fields: Fields, field: string): Fields {
  const value = fields[field];
  return typeof value === "string" ? { [field]: value } : {};
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value).toSorted() : [];
}
