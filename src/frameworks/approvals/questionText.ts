import type { ApprovalRequest } from "../../index.js";

/** A question in words for a person. What servers wrote stands in quotes, so that it cannot pass for ours. */
export function questionText({
  kind,
  server,
  tool,
  title,
  arguments: args,
  reason,
  difference,
  answers,
}: ApprovalRequest): string {
  const what =
    kind === "server"
      ? `May the server "${server}" of a project file start?`
      : `May "${title || tool}" (${tool} of server ${server}) run?`;
  const shown = JSON.stringify(args ?? {}, null, 2);
  const changes = (difference ?? []).map(
    ({ field, before, after }) => `  ${field}: ${quote(before)} → ${quote(after)}`,
  );
  return [
    what,
    `Reason: ${reason}`,
    ...(kind === "call" ? [`Arguments:\n${shown.length > 1500 ? `${shown.slice(0, 1500)}…` : shown}`] : []),
    ...(changes.length > 0 ? ["Changed since it was first used:", ...changes] : []),
    answers.includes("allow-for-session") ? "Answer yes, no or always." : "Answer yes or no.",
  ].join("\n");
}

function quote(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}
