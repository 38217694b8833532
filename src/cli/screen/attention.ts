import type { AttentionItem } from "../../index.js";
import { visible } from "./visible.js";

/** What needs attention as lines for a terminal: what is the matter, and the command that mends it. */
export function attentionLines(items: readonly AttentionItem[]): string[] {
  if (items.length === 0) return ["nothing needs attention"];
  return items.flatMap(({ tone, server, text, advice, fix }) => {
    const sign = { bad: "✗", wait: "?", note: "!" }[tone];
    const command = commandFor(fix);
    return [
      visible(`${sign} ${server === undefined ? "" : `${server}: `}${text}`),
      visible(`  ${advice}${command === undefined ? "" : `: ${command}`}`),
    ];
  });
}

function commandFor(fix: AttentionItem["fix"]): string | undefined {
  switch (fix.do) {
    case "decide":
      return `mcpvisor approve ${fix.approvals?.[0] ?? ""}`;
    case "login":
      return `mcpvisor login ${fix.server ?? ""}`;
    case "connect":
      return `mcpvisor connect ${fix.server ?? ""}`;
    case "restart":
      return `mcpvisor restart ${fix.server ?? ""}`;
    case "network":
      return "mcpvisor network on";
    case "end":
      return fix.pids === undefined || fix.pids.length === 0 ? undefined : `kill -9 ${fix.pids.join(" ")}`;
    case "edit":
      return undefined;
  }
}
