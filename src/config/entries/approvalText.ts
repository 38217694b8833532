import { isCredentialName, isCredentialValue } from "../../policy/credentials.js";
import { isDangerousName } from "../../policy/dangerous.js";
import { stars } from "../../policy/secrets.js";
import type { Fields } from "../fields/fields.js";
import { isRecord } from "../fields/fields.js";
import type { ApprovalSubject } from "./approval.js";
import { dangerousNames, quoted } from "./approval.js";

/** A longer text of the file is cut in a question; its hash stands there, so that no two look the same. */
const longest = 2000;

/**
 * What an entry would run and what that gets to see, in lines for a person who decides: the texts of the file, each
 * quoted, so that none can pretend to be a line of ours. Literals that look like credentials show as `********`.
 */
export function approvalText(subject: ApprovalSubject, written: Fields): string {
  const lines: [string, string][] = [];
  const add = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") lines.push([label, value]);
  };
  const { command, args = [], files = {}, limits } = subject;
  add("runs", command === undefined ? undefined : [command, ...args].map((each) => clipped(each)).join(" "));
  add("connects to", subject.url === undefined ? undefined : clipped(subject.url));
  add("through the proxy", subject.proxy === false ? "none" : maskedUrl(subject.proxy));
  for (const [word, path] of Object.entries(subject.tls ?? {})) add(`tls ${word}`, clipped(String(path)));
  add("in", subject.cwd === undefined ? undefined : clipped(subject.cwd));
  for (const line of valuesShown(written["env"], subject.env)) add("sets", line);
  for (const line of valuesShown(written["headers"], subject.headers)) add("sends the header", line);
  add("reads from your environment", subject.reads.map((each) => clipped(each)).join(", "));
  add("sees of your environment", inheritShown(subject));
  add("limits", limits === undefined ? undefined : clipped(JSON.stringify(limits)));
  add(
    "speaks only MCP",
    subject.protocolVersion === undefined ? undefined : clipped(subject.protocolVersion),
  );
  for (const [path, hash] of Object.entries(files))
    add("runs the project's file", `${clipped(path)} as it is now (sha256 ${hash.slice(0, 12)})`);
  add(
    "dropped unless approved by name",
    dangerousNames(subject)
      .map((each) => clipped(each))
      .join(", "),
  );
  return lines.map(([label, value]) => `${label}: ${value}`).join("\n");
}

/** An address with the password in it starred. */
function maskedUrl(url: string | undefined): string | undefined {
  return url === undefined ? undefined : clipped(url.replace(/(\/\/[^/@]*:)[^/@]*@/, `$1${stars}@`));
}

/** The texts of the file that a command would load code from, by name of the variable. */
export function dangerousTexts(subject: ApprovalSubject, written: Fields): Readonly<Record<string, string>> {
  const env = isRecord(written["env"]) ? written["env"] : {};
  return Object.fromEntries(dangerousNames(subject).map((name) => [name, String(env[name])]));
}

/** Values that were told to a person in a question, one `NAME=text` a line. */
function valuesShown(values: unknown, hashes: Readonly<Record<string, string>>): string[] {
  if (!isRecord(values)) return [];
  return Object.entries(hashes).map(([name, hash]) => {
    const text = String(values[name]);
    const isSecret = !isDangerousName(name) && looksSecret(name, text);
    return `${quoted(name)}=${isSecret ? `${stars} (sha256 ${hash.slice(0, 12)})` : clipped(text, hash)}`;
  });
}

/** A literal that somebody has left in the file; a reference to a variable says what leaves the machine, and is no secret. */
function looksSecret(name: string, text: string): boolean {
  return isCredentialValue(text) || (isCredentialName(name) && !/\$\{|\$[A-Za-z_]/.test(text));
}

function inheritShown({ inherit, trusted }: ApprovalSubject): string | undefined {
  if (inherit === undefined) return undefined;
  const all = inherit === "all" ? "everything, credentials too" : inherit;
  return trusted === true ? all : `${all} (once it is trusted; it is not)`;
}

/** Quoted, and cut with its length and hash when it is long. */
export function clipped(text: string, hash?: string): string {
  if (text.length <= longest) return quoted(text);
  const tail = hash === undefined ? "" : `, sha256 ${hash.slice(0, 12)}`;
  return `${quoted(text.slice(0, longest))}… (${text.length} characters${tail})`;
}
