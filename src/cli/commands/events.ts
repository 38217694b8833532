import type { Fact } from "../../index.js";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { everyFact } from "../screen/everyFact.js";
import { exitCodes } from "../context/exitCodes.js";
import { factLine } from "../screen/factLine.js";
import { withFleet } from "../fleet/fleet.js";
import { durationMs } from "../context/options.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors } from "../screen/problems.js";
import { withService } from "../fleet/service.js";
import { jsonText } from "../screen/visible.js";
import { untilAborted, wait, within } from "../context/wait.js";

export interface EventsFlags extends FleetFlags {
  readonly for?: string;
  readonly type?: readonly string[];
  readonly consumer?: string;
}

/** Follows the running service, or starts a fleet of its own, and prints every fact as it happens: lines for people, or one JSON object per line. */
export async function events(context: Context, flags: EventsFlags): Promise<number> {
  const duration = flags.for === undefined ? undefined : durationMs("--for", flags.for);
  const calls = new Set<string>();
  /** Progress and questions name the call, and the call its consumer. */
  const isOf = (fact: Fact, consumer: string): boolean => {
    if ("consumer" in fact && fact.consumer !== undefined) {
      if (fact.consumer !== consumer) return false;
      if (fact.type === "mcp.call.started") calls.add(fact.call);
      if (fact.type === "mcp.call.settled") calls.delete(fact.call);
      return true;
    }
    return "call" in fact && fact.call !== undefined && calls.has(fact.call);
  };
  const wanted = (fact: Fact) =>
    (flags.consumer === undefined || isOf(fact, flags.consumer)) &&
    (flags.type === undefined || flags.type.includes(fact.type));
  const show = (fact: Fact) => {
    if (wanted(fact)) print(context, flags.json ? jsonText(fact) : factLine(fact));
  };
  const asked = await withService(context, flags, async (client) => {
    const { signal } = context.interrupts;
    const until = duration === undefined ? signal : within(duration, signal);
    for await (const fact of client.events({ after: 0, signal: until })) show(fact);
    return exitCodes.ok;
  });
  return (
    asked ??
    withFleet(context, flags, {}, async ({ supervisor }) => {
      const following = everyFact(supervisor, show);
      const { signal } = context.interrupts;
      await (duration === undefined ? untilAborted(signal) : wait(duration, signal));
      following.close();
      return hasErrors(supervisor.problems()) ? exitCodes.usage : exitCodes.ok;
    })
  );
}
