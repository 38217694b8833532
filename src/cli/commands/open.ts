import { join } from "node:path";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
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
    const agents = join(homeOf(context, flags), "agent.token");
    print(context, flags.json ? jsonText({ link, agentToken: agents }) : link);
    if (!flags.json)
      say(
        context,
        `for agents that use the API: the token in ${agents} calls tools, and neither decides nor edits`,
      );
    return exitCodes.ok;
  });
}
