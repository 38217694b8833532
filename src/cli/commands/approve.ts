import type { ApprovalRequest, Decision } from "../../index.js";
import { questionLines } from "../fleet/approver.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes, UsageError } from "../context/exitCodes.js";
import { needService } from "../fleet/service.js";
import type { ServiceFlags } from "../fleet/service.js";
import { jsonText } from "../screen/visible.js";

export interface ApproveFlags extends ServiceFlags {
  readonly json?: boolean;
  readonly session?: boolean;
  readonly good?: boolean;
  readonly deny?: boolean;
}

/** Decides a pending approval of the running service; without an id it lists those that wait. */
export async function approve(
  context: Context,
  flags: ApproveFlags,
  id: string | undefined,
): Promise<number> {
  if ([flags.session, flags.good, flags.deny].filter(Boolean).length > 1)
    throw new UsageError("--session, --good and --deny contradict each other; choose one");
  return needService(context, flags, async (client) => {
    const waiting = await client.approvals();
    if (id === undefined) {
      list(context, flags, waiting);
      return exitCodes.ok;
    }
    const decision = decisionOf(flags);
    await client.approve(id, decision);
    say(context, `${id}: ${decision}`);
    return exitCodes.ok;
  });
}

function list(context: Context, flags: ApproveFlags, waiting: readonly ApprovalRequest[]): void {
  if (flags.json) return print(context, jsonText({ approvals: waiting }));
  if (waiting.length === 0) return say(context, "no approval is waiting");
  print(context, waiting.map((each) => [`${each.id}: ${questionLines(each).join("\n")}`]).join("\n"));
}

function decisionOf(flags: ApproveFlags): Decision {
  if (flags.deny) return "deny";
  if (flags.good) return "allow-for-good";
  return flags.session ? "allow-for-session" : "allow";
}
