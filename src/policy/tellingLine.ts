import { endings } from "./endings.js";

const longest = 300;

/** What a process says as its last words, without saying why it ended. */
const noise: readonly RegExp[] = [
  /^\s*$/,
  /^Node\.js v\d/,
  /^\s*at\s/,
  /^\s*File "[^"]*", line \d+/,
  /^\s*[\^~]+\s*$/,
  /^\s*[{}()[\];,]+\s*$/,
  /^\s*throw\s/,
  /^node:[\w/]+:\d+/,
  /^(?:file:\/\/)?\/\S+:\d+$/,
  /^\s*(?:code|errno|syscall|path|requireStack|url|port|address):\s/,
  /^\s*- \//,
  /^Require stack:/,
  /^npm (?:error|ERR!)\s*(?:A complete log\b.*|This is probably\b.*)?$/,
  /^npm (?:error|ERR!)\s+\S*_logs/,
  /^npm (?:notice|warn|WARN)/,
  /^(?:\(Use `node|\(node:\d+\)|Traceback \(most recent|During handling of|The above exception)/,
  /^\s*(?:error|info|warn)?: *script "?\w+"? exited with/i,
];

const error =
  /(?:^|[\s[(:])(?:[A-Z]\w*)?(?:Error|Exception|Fault)\b|\b(?:error|fatal|panic(?:ked)?|failed|cannot|could not)\b/i;
const namedError = /^(?:Uncaught )?(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b/;

/** What tells why a process ended. */
export interface Telling {
  /** One line of its stderr. */
  readonly line: string;
  /** What a person can do, where it is one of the common endings. */
  readonly advice?: string;
}

function adviceOf(line: string): string | undefined {
  return endings.find(({ says }) => says.test(line.trim()))?.advice;
}

/** The line of stderr (oldest first) that says why a process ended: the error, not the noise that follows it. */
export function tellingLine(stderr: readonly string[]): Telling | undefined {
  const lines = stderr.filter((line) => !noise.some((each) => each.test(line)));
  const named = lines.findLast((line) => namedError.test(line.trim()));
  const known = lines.findLast((line) => adviceOf(line) !== undefined && error.test(line));
  const chosen =
    (named !== undefined && adviceOf(named) !== undefined ? named : undefined) ??
    known ??
    named ??
    lines.findLast((line) => error.test(line)) ??
    lines.findLast((line) => adviceOf(line) !== undefined) ??
    lines.at(-1) ??
    stderr.at(-1);
  if (chosen === undefined) return undefined;
  const line = chosen.trim();
  const advice = adviceOf(line);
  const shown = line.length > longest ? `${line.slice(0, longest)}…` : line;
  return advice === undefined ? { line: shown } : { line: shown, advice };
}
