import type { ReadyReport, ServerState, StopReport, Supervisor, SupervisorOptions } from "../../index.js";
import { createApprover } from "./approver.js";
import { say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { count } from "../screen/factLine.js";
import { durationMs, supervisorOptions } from "../context/options.js";
import type { FleetFlags } from "../context/options.js";
import { hasErrors, problemLine } from "../screen/problems.js";
import { wait } from "../context/wait.js";

/** A running supervisor as the commands use it. */
export interface Fleet {
  readonly supervisor: Supervisor;
  /** Stops once; later calls get the same report. */
  stop(): Promise<StopReport>;
}

/** What a command adds to the options that its flags say. */
export interface ExtraOptions extends SupervisorOptions {
  /** Approvals are not answered here: they wait for the dashboard or `mcpvisor approve`. */
  readonly leaveOpen?: boolean;
  /** It runs until it is ended: SIGTERM in good order is success. */
  readonly untilStopped?: boolean;
}

/**
 * Starts a supervisor, lets `work` use it, and stops it whatever happens. The first signal ends the work and stops
 * in good order, the next one by force; the exit code then tells the signal.
 */
export async function withFleet(
  context: Context,
  flags: FleetFlags,
  extra: ExtraOptions,
  work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
  const { leaveOpen, untilStopped: _untilStopped, ...options } = extra;
  void _untilStopped;
  const approver = createApprover(context);
  const supervisor = await context.open({
    ...(await supervisorOptions(flags)),
    ...(leaveOpen ? {} : { approve: (request, signal) => approver.decide(request, signal) }),
    ...options,
  });
  let report: Promise<StopReport> | undefined;
  const fleet = { supervisor, stop: () => (report ??= supervisor.stop()) };
  forceOnSecond(context, supervisor);
  try {
    const working = started(context, fleet, work);
    const code = await Promise.race([working, interrupted(context, supervisor)]);
    await fleet.stop();
    await lastWords(working);
    // A command that runs until it is told to end has done what it was there for.
    return context.interrupts.graceful(extra.untilStopped === true) ?? code;
  } finally {
    tellSurvivors(context, await fleet.stop());
  }
}

/** Waits until every server is ready or will not be. */
export function becomeReady(fleet: Fleet, flags: FleetFlags): Promise<ReadyReport> {
  return fleet.supervisor.ready({ timeout: durationMs("--wait", flags.wait ?? "30s") });
}

const nothingConfigured =
  "no servers are configured: take over those of other programs with `mcpvisor import`, add one with `mcpvisor add`, or name a file with --config; `mcpvisor up --demo` runs a fleet to look at";

async function started(
  context: Context,
  fleet: Fleet,
  work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
  await fleet.supervisor.start();
  const problems = fleet.supervisor.problems();
  for (const problem of problems) say(context, problemLine(problem));
  const own = fleet.supervisor.servers().filter((each) => each.scope !== "builtin" || each.enabled);
  if (own.length === 0 && !hasErrors(problems)) say(context, nothingConfigured);
  return work(fleet);
}

const atRest = new Set<ServerState>(["idle", "disabled", "parked", "retired"]);

function interrupted(context: Context, supervisor: Supervisor): Promise<number> {
  const { signal } = context.interrupts;
  return new Promise((resolve) => {
    const stopped = () => {
      if (signal.reason === "nobody reads") return resolve(0);
      const running = supervisor.servers().filter((server) => !atRest.has(server.state)).length;
      say(
        context,
        `${String(signal.reason)}: stopping ${count(running, "server")}; another signal ends them at once`,
      );
      resolve(1);
    };
    if (signal.aborted) stopped();
    else signal.addEventListener("abort", stopped, { once: true });
  });
}

/** After the stop everything that was waited for has ended: the work may still print its report. */
async function lastWords(working: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const ended = working.then(
    () => undefined,
    // What fails because it was interrupted is not worth a message of its own.
    () => undefined,
  );
  await Promise.race([ended, wait(1000, patience.signal)]);
  patience.abort();
}

function forceOnSecond(context: Context, supervisor: Supervisor): void {
  context.interrupts.onForce(() => {
    if (context.interrupts.signal.reason !== "nobody reads") say(context, "forced: ending every process now");
    void supervisor.stop({ force: true });
  });
}

function tellSurvivors(context: Context, report: StopReport): void {
  for (const { id, pid } of report.survivors) {
    say(context, `server "${id}": process ${pid} could not be ended; end it with: kill -9 ${pid}`);
  }
}
