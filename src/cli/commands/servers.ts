import { realClock } from "../../index.js";
import { print } from "../context.js";
import type { Context } from "../context.js";
import { exitCodes } from "../exitCodes.js";
import { becomeReady, withFleet } from "../fleet.js";
import type { FleetFlags } from "../options.js";
import { hasErrors } from "../problems.js";
import { serverTable } from "../serverTable.js";
import { jsonText } from "../visible.js";

/** Connects every server once and tells how each is: a table, or `{servers, problems}`. */
export async function servers(context: Context, flags: FleetFlags): Promise<number> {
  return withFleet(context, flags, { watch: false }, async (fleet) => {
    const ready = await becomeReady(fleet, flags);
    const all = fleet.supervisor.servers();
    if (flags.json) print(context, jsonText({ servers: all, problems: ready.problems }));
    else if (all.length > 0) {
      const width = context.terminal.stdout.columns ?? 160;
      print(context, serverTable(all, width, context.terminal.colors, realClock.now()).join("\n"));
    }
    if (hasErrors(ready.problems)) return exitCodes.usage;
    return ready.ok ? exitCodes.ok : exitCodes.failed;
  });
}
