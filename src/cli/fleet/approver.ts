import { createInterface } from "node:readline/promises";
import type { ApprovalRequest, Decision } from "../../index.js";
import { say } from "../context/context.js";
import type { Context } from "../context/context.js";
import type { Terminal } from "../context/terminal.js";
import { jsonText, visible } from "../screen/visible.js";

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

/** Why a call was denied without asking, and the ways to allow it. */
export function howToAllow(request: ApprovalRequest): string {
  if (request.kind === "server") {
    return visible(
      `denied: server "${request.server}" waits for approval (${request.reason}). To allow it, run this command in a terminal, or mark the entry "trusted": true in a file of your own.`,
    );
  }
  return visible(
    `denied: tool "${request.tool}" of server "${request.server}" needs an approval (${request.reason}). To allow it, run this command in a terminal, list the tool in "auto_approve" of that server, or choose another --mode.`,
  );
}

/** What a person reads before answering; every text of a server is shown with its hidden characters escaped. */
export function questionLines(request: ApprovalRequest): string[] {
  const subject =
    request.kind === "server"
      ? `Start server "${request.server}"?`
      : `Run "${request.tool}" of server "${request.server}"?`;
  const differences = (request.difference ?? []).flatMap((each) => [
    `  ${each.field} was: ${each.before}`,
    `  ${each.field} is:  ${each.after}`,
  ]);
  return [
    subject,
    `  why asked: ${request.reason}`,
    ...(request.kind === "call" ? [`  arguments: ${jsonText(request.arguments)}`] : []),
    ...differences,
  ].map(visible);
}

async function question(
  terminal: Terminal,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Decision> {
  terminal.stderr.write(`\n${questionLines(request).join("\n")}\n`);
  // The terminal itself edits the line; so Ctrl-C stays a signal for the whole command.
  const reader = createInterface({ input: terminal.stdin, terminal: false });
  try {
    terminal.stderr.write("  [y] once, [s] for this session, [N] no: ");
    return decisionOf(await firstLine(reader, signal));
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

function decisionOf(answer: string): Decision {
  const word = answer.trim().toLowerCase();
  if (word === "y" || word === "yes") return "allow";
  return word === "s" || word === "session" ? "allow-for-session" : "deny";
}
