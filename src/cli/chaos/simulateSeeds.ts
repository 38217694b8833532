import { availableParallelism } from "node:os";
import { realClock } from "../../index.js";
import { print, say } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";
import { openScreen } from "../screen/screen.js";
import { runBlock, together } from "./seeds/block.js";
import type { BlockReport, BrokenSeed, SeedBlock } from "./seeds/block.js";
import { jsonText } from "../screen/visible.js";

export interface SeedRun {
  readonly first: number;
  readonly count: number;
  readonly json: boolean;
  /** Threads; one for each core if absent. */
  readonly threads?: number;
}

const blockSize = 50;
/** Fewer seeds are done before a thread has started. */
const worthThreads = 200;
const tellEveryMs = 10_000;
/** Broken promises that the report of a machine lists one by one. */
const listed = 100;

/** Runs the simulation with so many seeds; each broken promise is one line that replays it. */
export async function simulateSeeds(context: Context, run: SeedRun): Promise<number> {
  const begun = performance.now();
  const progress = openProgress(context, run, begun);
  const reports: BlockReport[] = [];
  await runAll(context, run, (report) => {
    reports.push(report);
    progress.add(report);
  });
  progress.close();
  const sum = together(reports);
  print(context, run.json ? jsonReport(run, sum, begun) : textReport(run, sum, begun));
  return sum.broken.length === 0 ? exitCodes.ok : exitCodes.failed;
}

async function runAll(context: Context, run: SeedRun, onReport: (report: BlockReport) => void) {
  const { signal } = context.interrupts;
  const blocks = blocksOf(run);
  const take = (): SeedBlock | undefined => (signal.aborted ? undefined : blocks.next().value);
  const count = Math.min(run.threads ?? availableParallelism(), Math.ceil(run.count / blockSize));
  if (run.count < worthThreads) {
    for (let block = take(); block !== undefined; block = take())
      onReport(await runBlock(block, () => !signal.aborted));
    return;
  }
  const { openThread } = await import("./seeds/threads.js");
  const inThread = async (): Promise<void> => {
    const thread = openThread();
    for (let block = take(); block !== undefined; block = take()) onReport(await thread.run(block));
    await thread.close();
  };
  await Promise.all(Array.from({ length: Math.max(1, count) }, inThread));
}

function* blocksOf({ first, count }: SeedRun): Generator<SeedBlock, undefined> {
  for (let at = 0; at < count; at += blockSize)
    yield { first: first + at, count: Math.min(blockSize, count - at) };
  return undefined;
}

/** Tells people how far it is, in place on a terminal, and each broken promise as soon as it is known. */
function openProgress(context: Context, { count, json }: SeedRun, begun: number) {
  const screen = context.terminal.live && !json ? openScreen(context.terminal.stdout, realClock) : undefined;
  const release =
    screen === undefined
      ? undefined
      : context.foreground.use({ begin: () => screen.pause(), end: () => screen.resume() });
  let seeds = 0;
  let broken = 0;
  let toldAt = begun;
  const line = (): string => {
    const perSecond = seeds / ((performance.now() - begun) / 1000);
    const left = Math.ceil((count - seeds) / perSecond);
    return `${seeds} of ${count} seeds, ${Math.round(perSecond)} a second, about ${spoken(left)} left, ${broken} broken`;
  };
  return {
    add(report: BlockReport): void {
      seeds += report.seeds;
      broken += report.broken.length;
      for (const each of report.broken) say(context, brokenLine(each));
      screen?.draw(() => [line()]);
      if (screen !== undefined || performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      say(context, line());
    },
    close(): void {
      release?.();
      screen?.close();
    },
  };
}

function brokenLine({ replay, rule, message }: BrokenSeed): string {
  return `${replay}: ${rule}: ${message}`;
}

function spoken(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function textReport({ first }: SeedRun, sum: BlockReport, begun: number): string {
  const { seeds, calls, facts, simulatedMs, faults, broken } = sum;
  const hours = Math.round(simulatedMs / 3_600_000);
  const kinds = Object.keys(faults).length;
  const met = `${kinds} ${kinds === 1 ? "kind" : "kinds"} of faults`;
  const took = spoken(Math.round((performance.now() - begun) / 1000));
  return `${seeds} seeds from ${first}: ${calls} calls, ${facts} facts, ${met}, ${hours} simulated hours in ${took}; ${broken.length} broken`;
}

function jsonReport({ first }: SeedRun, sum: BlockReport, begun: number): string {
  const { seeds, calls, facts, simulatedMs, faults, broken } = sum;
  return jsonText({
    type: "mcpvisor.simulated",
    first,
    seeds,
    broken: broken.length,
    calls,
    facts,
    simulatedHours: Math.round(simulatedMs / 3_600_000),
    seconds: Math.round((performance.now() - begun) / 100) / 10,
    faults,
    violations: broken.slice(0, listed),
  });
}
