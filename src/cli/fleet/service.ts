import type { ServiceClient } from "../../http/index.js";
import type { Context } from "../context/context.js";
import { UsageError } from "../context/exitCodes.js";
import { homeOf } from "../context/home.js";
import type { FleetFlags } from "../context/options.js";

/** Flags of a command that may talk to a running service. */
export interface ServiceFlags {
  readonly home?: string;
}

/**
 * Lets `work` talk to the service that runs in the state folder; undefined when none runs, or when files of its
 * own were named, which the service knows nothing about.
 */
export async function withService(
  context: Context,
  flags: ServiceFlags & Pick<FleetFlags, "config" | "alone">,
  work: (client: ServiceClient) => Promise<number>,
): Promise<number | undefined> {
  if (flags.alone || (flags.config ?? []).length > 0) return undefined;
  const client = await context.findService(homeOf(context, flags));
  if (client === undefined) return undefined;
  try {
    const code = await work(client);
    return context.interrupts.exitCode() ?? code;
  } finally {
    client.close();
  }
}

/** The same for commands that make no sense without a service: says how to start one. */
export async function needService(
  context: Context,
  flags: ServiceFlags,
  work: (client: ServiceClient) => Promise<number>,
): Promise<number> {
  const code = await withService(context, flags, work);
  if (code !== undefined) return code;
  const home = homeOf(context, flags);
  throw new UsageError(
    `no service runs for the state folder ${home}; start one with \`mcpvisor up --http\`, or name another folder with --home`,
  );
}
