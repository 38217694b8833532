import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { needService } from "../fleet/service.js";
import type { ServiceFlags } from "../fleet/service.js";
import { jsonText } from "../screen/visible.js";

export interface OpenFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** Prints a link into the dashboard of the running service; it is good once, for ten minutes. */
export async function open(context: Context, flags: OpenFlags): Promise<number> {
  return needService(context, flags, async (client) => {
    const link = await client.loginLink();
    print(context, flags.json ? jsonText({ link }) : link);
    return exitCodes.ok;
  });
}
