import { isDangerousName } from "../../policy/dangerous.js";
import { escapeHidden } from "../../hiddenText.js";
import { sha256 } from "../../tools/sha256.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import { canonicalJson } from "./hash.js";

/**
 * What a person approves when an entry of a project file may start: everything that its fingerprint is made of
 * (fingerprint.ts), as written in the file. Placeholders are not filled in; values of variables and headers, and files
 * of the project that its command runs, stand here by their SHA-256.
 */
export interface ApprovalSubject {
  readonly transport: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  /** SHA-256 of the text in the file, by name. */
  readonly env: Readonly<Record<string, string>>;
  /** SHA-256 of the text in the file, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** As written; false for none. */
  readonly proxy?: string | false;
  /** Paths, as written. */
  readonly tls?: Readonly<Record<string, unknown>>;
  /** Scopes only, or false: a project's file may say no more. */
  readonly oauth?: unknown;
  readonly inherit?: string;
  readonly pass?: readonly string[];
  /** Sorted names of variables of our environment that its texts use or that `pass` hands on. */
  readonly reads: readonly string[];
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly protocolVersion?: string;
  /** SHA-256 of the content of each file of the project that the command names, by its path in the project. */
  readonly files?: Readonly<Record<string, string>>;
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
    transport: transportOf(fields),
    ...textField(fields, "command"),
    ...(fields["command"] === undefined ? {} : { args: list(fields["args"]) }),
    ...textField(fields, "cwd"),
    ...textField(fields, "url"),
    env: hashesOf(fields["env"]),
    headers: hashesOf(fields["headers"]),
    ...(fields["proxy"] === false ? { proxy: false } : textField(fields, "proxy")),
    ...(isRecord(fields["tls"]) ? { tls: fields["tls"] } : {}),
    ...(fields["oauth"] === undefined ? {} : { oauth: fields["oauth"] }),
    ...textField(fields, "inherit"),
    ...(pass.length === 0 ? {} : { pass }),
    reads: [...new Set([...variables, ...pass])].toSorted(),
    ...(isRecord(fields["limits"]) ? { limits: fields["limits"] } : {}),
    ...textField(fields, "protocolVersion"),
    // Only with trust do these count; without it they may change without a question.
    ...(trusted ? { trusted, autoApprove: list(fields["auto_approve"]).toSorted() } : {}),
  };
}

/** Names of variables that could turn the command into another program: they get a question of their own. */
export function dangerousNames({ env }: ApprovalSubject): string[] {
  return Object.keys(env).filter(isDangerousName).toSorted();
}

/** The hash an approval is bound to. */
export function approvalHash(subject: ApprovalSubject): string {
  return sha256(canonicalJson(subject));
}

/** The approval of an entry, if there is one for exactly this content; of several the last one counts. */
export function approvalFor(
  records: readonly ApprovalRecord[],
  entry: { readonly file: string; readonly name: string; readonly subject: ApprovalSubject },
): ApprovalRecord | undefined {
  const hash = approvalHash(entry.subject);
  return records.findLast(
    (each) => each.file === entry.file && each.name === entry.name && each.hash === hash,
  );
}

/** Field by field, what is not as it was; `before` is undefined for an entry that nobody approved yet. */
export function differenceOfEntries(
  before: ApprovalSubject | undefined,
  after: ApprovalSubject,
): FieldDifference[] {
  const old: Fields = { ...before };
  const now: Fields = { ...after };
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .filter((field) => canonicalJson(old[field]) !== canonicalJson(now[field]))
    .map((field) => ({ field, before: shown(old[field]), after: shown(now[field]) }))
    .filter((each) => each.before !== each.after);
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  if (isRecord(value)) return Object.entries(value).map(memberShown).join(" ");
  if (Array.isArray(value)) return value.map((each) => quoted(String(each))).join(" ");
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

function memberShown([name, value]: [string, unknown]): string {
  return isHash(value)
    ? `${quoted(name)} (sha256 ${value.slice(0, 12)})`
    : `${quoted(name)} ${JSON.stringify(value)}`;
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** A text of the file as one word on one line: nothing in it can look like a line or a word of ours. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,$-]+$/.test(text) ? text : escapeHidden(JSON.stringify(text));
}

function transportOf(fields: Fields): string {
  const given = fields["transport"];
  if (typeof given === "string") return given;
  return fields["url"] === undefined ? "stdio" : "http";
}

function textField(fields: Fields, field: string): Fields {
  const value = fields[field];
  return typeof value === "string" ? { [field]: value } : {};
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function hashesOf(value: unknown): Record<string, string> {
  const members = isRecord(value) ? Object.entries(value) : [];
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, sha256(String(each))]));
}
