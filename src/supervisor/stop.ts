import { elapsedOf } from "../clock.js";
import type { Crew } from "./lives/serverActors.js";
import type { Desk } from "./state/sharedState.js";
import type { Dispatcher } from "./calls/dispatcher.js";
import type { StopReport } from "./contract/supervisor.js";

export interface Stopper {
  /** Ends everything once; later calls get the same report. A second call, or `force`, ends processes at once. */
  stop(force: boolean): Promise<StopReport>;
  onHostSignal(): Promise<void>;
}

export function createStopper(
  desk: Desk,
  crew: Crew,
  dispatcher: Dispatcher,
  others: readonly { close(): void | Promise<void> }[],
): Stopper {
  let stopping: Promise<StopReport> | undefined;

  async function end(): Promise<StopReport> {
    const begun = elapsedOf(desk.clock);
    desk.closed = "the supervisor has stopped; make a new one to call tools";
    const closing = others.map((each) => each.close());
    desk.approvals.endAll("stopped");
    const units = [...desk.units.values()];
    for (const unit of units)
      dispatcher.failWaiting(unit, { kind: "stopping", message: "the supervisor is stopping" });
    const running = units.filter((unit) => unit.life !== undefined);
    const stuck = await crew.stop();
    const [left] = await Promise.all([crew.close(), ...closing]);
    desk.deadlines.close();
    return {
      ended: running.length,
      forced: running.filter((unit) => unit.lastEnd?.forced === true).length,
      survivors: [...stuck.filter(({ pid }) => left.every((each) => each.pid !== pid)), ...left],
      ms: Math.round(elapsedOf(desk.clock) - begun),
    };
  }

  return {
    stop(force) {
      const again = stopping !== undefined;
      stopping ??= end();
      if (force || again) crew.killAll();
      return stopping;
    },
    async onHostSignal() {
      await (stopping ??= end());
    },
  };
}
