import { isServing, realClock } from "../../index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { needService } from "../fleet/service.js";
import type { ServiceFlags } from "../fleet/service.js";
import { serverTable } from "../screen/serverTable.js";
import { jsonText } from "../screen/visible.js";

export type Order = "connect" | "disconnect" | "restart";

export interface ControlFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** Gives one order to a server of the running service and shows how it is afterwards. */
export async function control(
  context: Context,
  flags: ControlFlags,
  order: Order,
  id: string,
): Promise<number> {
  return needService(context, flags, async (client) => {
    const status = await client[order](id);
    const { stdout, colors } = context.terminal;
    if (flags.json) print(context, jsonText(status));
    else print(context, serverTable([status], stdout.columns ?? 160, colors, realClock.now()).join("\n"));
    const wanted = order === "disconnect" || isServing(status.state);
    return wanted ? exitCodes.ok : exitCodes.failed;
  });
}
