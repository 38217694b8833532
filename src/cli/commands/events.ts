import type { Fact } from "../../index.js";
import { print } from "../context.js";
import type { Context } from "../context.js";
import { everyFact } from "../everyFact.js";
import { exitCodes } from "../exitCodes.js";
import { factLine } from "../factLine.js";
import { withFleet } from "../fleet.js";
import { durationMs } from "../options.js";
import type { FleetFlags } from "../options.js";
import { hasErrors } from "../problems.js";
import { jsonText } from "../visible.js";
import { untilAborted, wait } from "../wait.js";

export interface EventsFlags extends FleetFlags {
  readonly for?: string;
  readonly type?: readonly string[];
}

/** Starts the fleet and prints every fact as it happens: lines for people, or one JSON object per line. */
export async function events(context: Context, flags: EventsFlags): Promise<number> {
  const duration = flags.for === undefined ? undefined : durationMs("--for", flags.for);
  const wanted = (fact: Fact) => flags.type === undefined || flags.type.includes(fact.type);
  const show = (fact: Fact) => {
    if (wanted(fact)) print(context, flags.json ? jsonText(fact) : factLine(fact));
  };
  return withFleet(context, flags, {}, async ({ supervisor }) => {
    const following = everyFact(supervisor, show);
    const { signal } = context.interrupts;
    await (duration === undefined ? untilAborted(signal) : wait(duration, signal));
    following.close();
    return hasErrors(supervisor.problems()) ? exitCodes.usage : exitCodes.ok;
  });
}
