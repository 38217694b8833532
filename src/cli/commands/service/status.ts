import { print } from "../../context/context.js";
import type { Context } from "../../context/context.js";
import { exitCodes } from "../../context/exitCodes.js";
import { needService } from "../../fleet/service.js";
import type { ServiceFlags } from "../../fleet/service.js";
import { attentionLines } from "../../screen/attention.js";
import { summaryLine } from "../../screen/serverTable.js";
import { jsonText } from "../../screen/visible.js";

export interface StatusFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** How the running service is: its servers in one line, and what needs attention. 1 when something is bad. */
export async function status(context: Context, flags: StatusFlags): Promise<number> {
  return needService(context, flags, async (client) => {
    const [servers, attention] = await Promise.all([client.servers(), client.attention()]);
    if (flags.json) print(context, jsonText({ servers, attention }));
    else print(context, [summaryLine(servers) || "no servers", ...attentionLines(attention)].join("\n"));
    return attention.some(({ tone }) => tone === "bad") ? exitCodes.failed : exitCodes.ok;
  });
}
