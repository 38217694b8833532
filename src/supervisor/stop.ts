import { elapsedOf } from "../clock.js";
import type { ServerActors } from "./lives/serverActors.js";
import type { SharedState } from "./state/sharedState.js";
import type { WaitingCalls } from "./state/waitingCalls.js";
import type { StopReport } from "./contract/supervisor.js";

export interface Stopper {
  /** Ends everything once; later calls get the same report. A second call, or `force`, ends processes at once. */
  stop(force: boolean): Promise<StopReport>;
  onHostSignal(): Promise<void>;
}

export function createStopper(
  shared: SharedState,
  actors: ServerActors,
  waiting: WaitingCalls,
  others: readonly { close(): void | Promise<void> }[],
): Stopper {
  let stopping: Promise<StopReport> | undefined;

  async function end(): Promise<StopReport> {
    const begun = elapsedOf(shared.clock);
    shared.closed = "the supervisor has stopped; make a new one to call tools";
    const closing = others.map((each) => each.close());
    shared.approvals.endAll("stopped");
    const records = [...shared.records.values()];
    for (const record of records)
      waiting.failWaiting(record, { kind: "stopping", message: "the supervisor is stopping" });
    const running = records.filter((record) => record.life !== undefined);
    const stuck = await actors.stop();
    const [left] = await Promise.all([actors.close(), ...closing]);
    shared.deadlines.close();
    return {
      ended: running.length,
      forced: running.filter((record) => record.lastEnd?.forced === true).length,
      survivors: [...stuck.filter(({ pid }) => left.every((each) => each.pid !== pid)), ...left],
      ms: Math.round(elapsedOf(shared.clock) - begun),
    };
  }

  return {
    stop(force) {
      const again = stopping !== undefined;
      stopping ??= end();
      if (force || again) actors.killAll();
      return stopping;
    },
    async onHostSignal() {
      await (stopping ??= end());
    },
  };
}
