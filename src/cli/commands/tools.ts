import type { ConfigProblem, ToolDescriptor } from "../../index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors } from "../screen/problems.js";
import { withService } from "../fleet/service.js";
import { table } from "../screen/table.js";
import { jsonText, visible } from "../screen/visible.js";

export interface ToolsFlags extends FleetFlags {
  readonly server?: string;
  readonly budget?: boolean;
}

/** Lists what an agent would see: a table, or `{tools, problems}` with the schemas. */
export async function tools(context: Context, flags: ToolsFlags): Promise<number> {
  const asked = await withService(context, flags, async (client) => {
    await show(context, flags, await client.tools(), []);
    return exitCodes.ok;
  });
  return (
    asked ??
    withFleet(context, flags, { watch: false }, async (fleet) => {
      const { problems } = await becomeReady(fleet, flags);
      await show(context, flags, fleet.supervisor.tools(), problems);
      return hasErrors(problems) ? exitCodes.usage : exitCodes.ok;
    })
  );
}

async function show(
  context: Context,
  flags: ToolsFlags,
  offered: readonly ToolDescriptor[],
  problems: readonly ConfigProblem[],
): Promise<void> {
  const all = offered.filter((tool) => flags.server === undefined || tool.server === flags.server);
  if (flags.budget === true) return (await import("./toolBudget.js")).printBudget(context, flags, all);
  if (flags.json) print(context, jsonText({ tools: all, problems }));
  else if (all.length > 0) print(context, lines(all, context).join("\n"));
}

function lines(all: readonly ToolDescriptor[], context: Context): string[] {
  const columns = [
    { title: "TOOL" },
    { title: "SERVER" },
    { title: "NOW" },
    { title: "DEFINITION" },
    { title: "DESCRIPTION", shrinkTo: 20 },
  ];
  const rows = all.map((tool) => [
    { text: visible(tool.name), paint: context.terminal.colors.bold },
    { text: visible(tool.server) },
    { text: tool.permission },
    { text: tool.pin },
    { text: visible(tool.description.split("\n")[0] ?? ""), paint: context.terminal.colors.dim },
  ]);
  return table(columns, rows, context.terminal.stdout.columns ?? 160);
}
