import { budgetOf } from "../../frameworks/index.js";
import type { Budget } from "../../frameworks/index.js";
import type { ToolDescriptor } from "../../index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import type { FleetFlags } from "../context/options.js";
import { table } from "../screen/table.js";
import { jsonText, visible } from "../screen/visible.js";

/** Prints what the definitions of tools cost in a model's context: a row per server, the dearest first, and the sum. */
export function printBudget(context: Context, flags: FleetFlags, tools: readonly ToolDescriptor[]): void {
  const report = budgetOf(tools);
  if (flags.json) return print(context, jsonText(report));
  const columns = [
    { title: "SERVER" },
    { title: "TOOLS" },
    { title: "CHARACTERS" },
    { title: "TOKENS (EST.)" },
    { title: "DEAREST TOOL", shrinkTo: 20 },
  ];
  const rows = report.servers.map((each) => row(each.server, each, each.dearest));
  rows.push(row("all", report, report.dearest[0]?.name ?? ""));
  print(context, table(columns, rows, context.terminal.stdout.columns ?? 160).join("\n"));
}

function row(name: string, cost: Budget, dearest: string) {
  const texts = [name, String(cost.tools), String(cost.characters), String(cost.tokens), dearest];
  return texts.map((text) => ({ text: visible(text) }));
}
