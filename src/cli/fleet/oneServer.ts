import { resolve } from "node:path";
import type { SupervisorOptions, ToolDescriptor } from "../../index.js";
import type { Context } from "../context/context.js";
import { homeOf } from "../context/home.js";
import type { FleetFlags } from "../context/options.js";

/**
 * The options that start only what a tool needs: the servers that its name may belong to, `mcp_<id>_…`, `mcp__<id>__…` or
 * `<id>.…`. All of them where no id fits, so that near names can be told.
 */
export async function onlyFor(
  context: Context,
  flags: FleetFlags,
  name: string,
): Promise<Pick<SupervisorOptions, "only">> {
  const { loadFleet } = await import("../../config/index.js");
  const files = flags.config ?? [];
  const { specs } = await loadFleet({
    home: homeOf(context, flags),
    workspace: resolve(flags.workspace ?? "."),
    ...(files.length > 0 ? { configFiles: files.map((file) => resolve(file)) } : { discover: true }),
  });
  const fits = specs.map(({ id }) => id).filter((id) => beginnings(id).some((each) => name.startsWith(each)));
  return fits.length === 0 ? {} : { only: fits };
}

function beginnings(id: string): string[] {
  return [`mcp_${id.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_")}_`, `mcp__${id}__`, `${id}.`];
}

/** The tool that a name means: its public name, or `server.tool` with the names that its server gave. */
export function toolNamed(tools: readonly ToolDescriptor[], name: string): ToolDescriptor | undefined {
  return (
    tools.find((each) => each.name === name) ?? tools.find((each) => `${each.server}.${each.tool}` === name)
  );
}
