import type { WaitingEntry } from "../../config/merge.js";
import { quoted } from "../../config/entries/approval.js";
import { runsUnasked } from "../../policy/permission.js";
import type { PermissionMode } from "../../policy/permission.js";

/** What a person reads before an entry may start: what it would run, whose place it takes, what then needs no question. */
export function asksFor(entry: WaitingEntry, mode: PermissionMode | undefined): string {
  const { id, text, hides, wishes } = entry;
  const place = hides === "builtin" ? "that ships with mcpvisor" : `of ${quoted(hides ?? "")}`;
  return [
    text,
    ...(hides === undefined ? [] : [`takes the place of: your server ${quoted(id)} ${place}`]),
    `runs without further questions: ${unasked(wishes, mode)}`,
  ].join("\n");
}

const phrases = {
  "read-only": "every tool that says it only reads",
  harmless: "every tool that says it destroys nothing",
  otherwise: "every other tool that does not say it destroys something",
} as const;

function unasked(
  { trusted, autoApprove, dialect }: WaitingEntry["wishes"],
  mode: PermissionMode | undefined,
): string {
  if (!trusted) return "no call (it does not want to be trusted)";
  const words = runsUnasked(mode ?? dialect).flatMap((row) => {
    if (row !== "auto-approved") return [phrases[row]];
    return autoApprove.length === 0
      ? []
      : [`the tools ${autoApprove.map((each) => quoted(each)).join(", ")}`];
  });
  return `${words.length === 0 ? "no call" : words.join("; ")} (it wants to be trusted)`;
}
