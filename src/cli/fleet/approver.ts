import { createInterface } from "node:readline/promises";
import type { ApprovalRequest, Decision } from "../../index.js";
import { say } from "../context/context.js";
import type { Context } from "../context/context.js";
import type { Terminal } from "../context/terminal.js";
import { jsonText, visible } from "../screen/visible.js";
import { forgetTyped } from "./typeAhead.js";

/** Answers the supervisor's questions: by asking the person at the terminal, or with "deny" when nobody is there. */
export interface Approver {
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<Decision>;
}

/** One question at a time; each ends with its answer, or with "deny" when its signal fires. */
export function createApprover(context: Pick<Context, "terminal" | "foreground">): Approver {
  const { terminal, foreground } = context;
  let last: Promise<unknown> = Promise.resolve();
  const told = new Set<string>();

  const refuse = (request: ApprovalRequest): Decision => {
    const key = `${request.server}/${request.tool}`;
    if (!told.has(key)) say(context, howToAllow(request));
    told.add(key);
    return "deny";
  };
  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<Decision> => {
    if (signal.aborted) return "deny";
    foreground.begin();
    try {
      return await question(terminal, request, signal);
    } finally {
      foreground.end();
    }
  };
  return {
    async decide(request, signal) {
      if (!terminal.canAsk) return refuse(request);
      const answer = last.then(() => ask(request, signal));
      last = answer;
      return answer;
    },
  };
}

/** Why a call was denied without asking, and the ways to allow it: only those that would help. */
export function howToAllow(request: ApprovalRequest): string {
  const { server, tool, reason, remedies } = request;
  if (request.kind === "server") {
    return visible(
      `denied: server "${server}" waits for approval (${reason}). To allow it, run this command in a terminal, or write the entry into a file of your own.`,
    );
  }
  const ways = [
    "run this command in a terminal",
    ...(remedies.autoApprove ? ['list the tool in "auto_approve" of that server'] : []),
    ...(remedies.modes.length > 0 ? [`choose --mode ${remedies.modes.join(" or ")}`] : []),
  ];
  return visible(
    `denied: tool "${bounded(tool)}" of server "${server}" needs an approval (${reason}). To allow it, ${listed(ways)}.`,
  );
}

function listed(ways: readonly string[]): string {
  return ways.length < 2 ? ways.join("") : `${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}`;
}

/** Texts of servers in a question are cut: nothing that they say pushes the rest out of the window. */
const longest = { name: 60, reason: 300, difference: 300, arguments: 800, line: 1000, lines: 40 };

/** A name of a server's choosing: short, on one line, and with its blanks to be seen, so that it paints no lines. */
function bounded(name: string): string {
  const shown = visible(name).replaceAll(/\p{Zs}{2,}|(?! )\p{Zs}/gu, (blanks) => "␣".repeat(blanks.length));
  return shown.length > longest.name
    ? `${shown.slice(0, longest.name)}… (${shown.length} characters)`
    : shown;
}

function cut(text: string, characters: number): string {
  const shown = visible(text);
  return shown.length > characters ? `${shown.slice(0, characters)}… (${shown.length} characters)` : shown;
}

/** What is asked about, in one short line: it stands above the details and again beside the prompt. */
function subjectOf({ kind, server, tool, arguments: args }: ApprovalRequest): string {
  if (kind === "call") return `Run "${bounded(tool)}" of server "${bounded(server)}"?`;
  const env = isRecord(args) && isRecord(args["env"]) ? Object.keys(args["env"]) : [];
  return env.length === 0
    ? `Start server "${bounded(server)}"?`
    : `Set ${cut(env.join(", "), 200)} for server "${bounded(server)}"?`;
}

/** What a person reads before answering; every text of a server is bounded, its hidden characters escaped. */
export function questionLines(request: ApprovalRequest): string[] {
  const differences = (request.difference ?? [])
    .filter((each) => request.kind === "call" || each.before !== "")
    .slice(0, longest.lines)
    .flatMap((each) => [
      `  ${bounded(each.field)} was: ${cut(each.before, longest.difference)}`,
      `  ${bounded(each.field)} is:  ${cut(each.after, longest.difference)}`,
    ]);
  return [
    subjectOf(request),
    `  why asked: ${cut(request.reason, longest.reason)}`,
    ...differences,
    ...detailsOf(request),
  ];
}

function detailsOf({ kind, arguments: args }: ApprovalRequest): string[] {
  if (kind === "call") return [`  arguments: ${cut(jsonText(args), longest.arguments)}`];
  if (!isRecord(args)) return [];
  const text = typeof args["command"] === "string" ? args["command"].split("\n") : [];
  const env = isRecord(args["env"])
    ? Object.entries(args["env"]).map(([name, value]) => `${name} would be: ${jsonText(value)}`)
    : [];
  const lines = [...text, ...env].map((line) => `  ${cut(line, longest.line)}`);
  const more = lines.length - longest.lines;
  return more > 0 ? [...lines.slice(0, longest.lines), `  … and ${more} more lines`] : lines;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const keys = {
  allow: { key: "y", word: "yes", label: "once" },
  "allow-for-session": { key: "s", word: "session", label: "for this session" },
  "allow-for-good": { key: "g", word: "good", label: "for good (this version)" },
} as const;

async function question(
  terminal: Terminal,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  // What was typed before anybody could read the question answers nothing.
  await forgetTyped(terminal.stdin);
  if (signal.aborted) return "deny";
  const offered = request.answers.filter((each) => each !== "deny");
  terminal.stderr.write(`\n${questionLines(request).join("\n")}\n`);
  // The terminal itself edits the line; so Ctrl-C stays a signal for the whole command.
  const reader = createInterface({ input: terminal.stdin, terminal: false });
  try {
    const choices = offered.map((each) => `[${keys[each].key}] ${keys[each].label}`);
    terminal.stderr.write(`  ${subjectOf(request)} ${[...choices, "[N] no"].join(", ")}: `);
    return decisionOf(await firstLine(reader, signal), offered);
  } finally {
    reader.close();
  }
}

function firstLine(reader: NodeJS.EventEmitter, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    reader.once("line", (line: string) => resolve(line));
    reader.once("close", () => resolve(""));
    signal.addEventListener("abort", () => resolve(""), { once: true });
  });
}

function decisionOf(answer: string, offered: readonly Exclude<Decision, "deny">[]): Decision {
  const said = answer.trim().toLowerCase();
  return offered.find((each) => said === keys[each].key || said === keys[each].word) ?? "deny";
}
