import { realClock } from "../../index.js";
import type { ConfigProblem, ServerStatus } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { becomeReady, withFleet } from "../fleet/fleet.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors } from "../screen/problems.js";
import { serverTable, summaryLine } from "../screen/serverTable.js";
import { withService } from "../fleet/service.js";
import { jsonText } from "../screen/visible.js";

/** Tells how each server is, as a table or as `{servers, problems}`: those of the running service, or of a fleet of its own. */
export async function servers(context: Context, flags: FleetFlags): Promise<number> {
  const asked = await withService(context, flags, async (client) => {
    const all = await client.servers();
    show(context, flags, all, []);
    return all.some((server) => server.state === "parked" || server.state === "stuck")
      ? exitCodes.failed
      : exitCodes.ok;
  });
  return (
    asked ??
    withFleet(context, flags, { watch: false }, async (fleet) => {
      const ready = await becomeReady(fleet, flags);
      show(context, flags, fleet.supervisor.servers(), ready.problems);
      if (hasErrors(ready.problems)) return exitCodes.usage;
      return ready.ok ? exitCodes.ok : exitCodes.failed;
    })
  );
}

function show(
  context: Context,
  flags: FleetFlags,
  all: readonly ServerStatus[],
  problems: readonly ConfigProblem[],
): void {
  if (flags.json) return print(context, jsonText({ servers: all, problems }));
  if (all.length === 0) return;
  const { stdout, colors } = context.terminal;
  say(context, summaryLine(all));
  print(context, serverTable(all, stdout.columns ?? 160, colors, realClock.now()).join("\n"));
}
