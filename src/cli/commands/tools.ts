import type { ConfigProblem, ToolDescriptor } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors } from "../screen/problems.js";
import { onlyFor, toolNamed } from "../fleet/oneServer.js";
import { withService } from "../fleet/service.js";
import { signature } from "../screen/signature.js";
import { table } from "../screen/table.js";
import { jsonText, visible } from "../screen/visible.js";

export interface ToolsFlags extends FleetFlags {
  readonly server?: string;
  readonly budget?: boolean;
}

/** Lists what an agent would see: a table, or `{tools, problems}` with the schemas; with a name how that tool is called. */
export async function tools(context: Context, flags: ToolsFlags, name?: string): Promise<number> {
  const asked = await withService(context, flags, async (client) =>
    show(context, flags, await client.tools(), [], name),
  );
  if (asked !== undefined) return asked;
  const only = flags.server === undefined ? await onlyIf(context, flags, name) : { only: [flags.server] };
  return withFleet(context, flags, { watch: false, ...only }, async (fleet) => {
    const { problems } = await becomeReady(fleet, flags);
    const code = await show(context, flags, fleet.supervisor.tools(), problems, name);
    return hasErrors(problems) ? exitCodes.usage : code;
  });
}

async function onlyIf(context: Context, flags: ToolsFlags, name: string | undefined) {
  return name === undefined ? {} : onlyFor(context, flags, name);
}

async function show(
  context: Context,
  flags: ToolsFlags,
  offered: readonly ToolDescriptor[],
  problems: readonly ConfigProblem[],
  name: string | undefined,
): Promise<number> {
  if (name !== undefined) return showOne(context, flags, offered, name);
  const all = offered.filter((tool) => flags.server === undefined || tool.server === flags.server);
  if (flags.budget === true) (await import("./toolBudget.js")).printBudget(context, flags, all);
  else if (flags.json) print(context, jsonText({ tools: all, problems }));
  else if (all.length > 0) print(context, lines(all, context).join("\n"));
  return exitCodes.ok;
}

function showOne(
  context: Context,
  flags: ToolsFlags,
  offered: readonly ToolDescriptor[],
  name: string,
): number {
  const tool = toolNamed(offered, name);
  if (tool === undefined) {
    say(context, visible(`there is no tool "${name}"; \`mcpvisor tools\` lists those there are`));
    return exitCodes.failed;
  }
  print(context, flags.json ? jsonText(tool) : signature(tool).join("\n"));
  return exitCodes.ok;
}

function lines(all: readonly ToolDescriptor[], context: Context): string[] {
  const columns = [
    { title: "TOOL" },
    { title: "SERVER", worth: 2 },
    { title: "NOW", worth: 3 },
    { title: "DEFINITION", worth: 1 },
    { title: "DESCRIPTION", shrinkTo: 20 },
  ];
  const rows = all.map((tool) => [
    { text: visible(tool.name), paint: context.terminal.colors.bold },
    { text: visible(tool.server) },
    { text: tool.permission },
    { text: tool.pin },
    {
      text: visible(tool.description.replace(/^\[MCP [^\]]*\] /, "").split("\n")[0] ?? ""),
      paint: context.terminal.colors.dim,
    },
  ]);
  return table(columns, rows, context.terminal.stdout.columns ?? 160);
}
