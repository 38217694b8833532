import { print } from "../../context/context.js";
import type { Context } from "../../context/context.js";
import { exitCodes, UsageError } from "../../context/exitCodes.js";
import { homeOf } from "../../context/home.js";
import { wait } from "../../context/wait.js";
import type { ServiceFlags } from "../../fleet/service.js";
import { jsonText } from "../../screen/visible.js";

export interface StopFlags extends ServiceFlags {
  readonly json?: boolean;
}

/** A stop in good order takes up to 8 s, and longer on a busy machine. */
const patienceMs = 60_000;

/** Ends the running service in good order, and waits until it is gone. */
export async function stop(context: Context, flags: StopFlags): Promise<number> {
  const { findService } = await import("../../../http/service/lock.js");
  const home = homeOf(context, flags);
  const running = await findService(home);
  if (running === undefined) throw new UsageError(`no service runs for the state folder ${home}`);
  if (running.pid <= 0)
    throw new UsageError("the service does not say which process it is; end it where it was started");
  process.kill(running.pid, "SIGTERM");
  const { signal } = context.interrupts;
  const end = Date.now() + patienceMs;
  while ((await findService(home)) !== undefined) {
    if (signal.aborted || Date.now() > end) {
      print(context, `process ${running.pid} still runs`);
      return exitCodes.failed;
    }
    await wait(50, signal);
  }
  print(context, flags.json ? jsonText({ stopped: running.pid }) : `stopped (process ${running.pid})`);
  return exitCodes.ok;
}
