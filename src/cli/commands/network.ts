import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { needService } from "../fleet/service.js";
import type { ServiceFlags } from "../fleet/service.js";
import { jsonText } from "../screen/visible.js";

export interface NetworkFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** Switches the network of the running service; off parks its servers with a url at once, on brings them back. */
export async function network(
  context: Context,
  flags: NetworkFlags,
  word: string | undefined,
): Promise<number> {
  if (word !== undefined && word !== "on" && word !== "off")
    throw new UsageError(`network is "on" or "off", not ${JSON.stringify(word)}`);
  return needService(context, flags, async (client) => {
    const enabled = word === undefined ? await client.network() : await client.setNetwork(word === "on");
    if (flags.json) print(context, jsonText({ network: enabled }));
    else say(context, `the network is switched ${enabled ? "on" : "off"}`);
    return exitCodes.ok;
  });
}
