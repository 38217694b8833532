import { isServing } from "../../index.js";
import type { ReadyReport, ServerStatus, StopReport } from "../../index.js";
import { count } from "../screen/factLine.js";
import type { SampleResult } from "./sampleCalls.js";
import { milliseconds, withoutSubject } from "../screen/serverTable.js";
import { truncate, visible } from "../screen/visible.js";

/** What `up --once --json` prints. */
export interface UpReport {
  /** Every enabled server is ready, every sample call worked, the configuration is sound, nothing was left behind. */
  readonly ok: boolean;
  readonly ready: ReadyReport;
  readonly servers: readonly ServerStatus[];
  readonly calls: readonly SampleResult[];
  readonly stop: StopReport;
}

/** The sample calls as one line each. */
export function sampleLines(samples: readonly SampleResult[], width = 160): string[] {
  return samples.map((sample) => {
    if (sample.result === undefined)
      return visible(`${sample.server}: no sample call: ${sample.skipped ?? ""}`);
    const { result } = sample;
    const subject = `${sample.server}: ${sample.tool ?? ""}`;
    const took = milliseconds(result.call.durationMs);
    const text = result.ok ? result.text : `${result.failure.kind}: ${result.failure.message}`;
    return truncate(visible(`${subject} ${result.ok ? "ok" : "FAILED"} in ${took}: ${text.trim()}`), width);
  });
}

/** One line about the beginning. */
export function readyLine(report: ReadyReport, tools: number): string {
  const up = report.servers.filter((each) => isServing(each.state));
  const others = report.servers.filter((each) => !up.includes(each) && each.state !== "disabled");
  const rest = others
    .map((each) => `; ${each.id} is ${each.state}: ${withoutSubject(each.cause.message)}`)
    .join("");
  return visible(
    `ready: ${up.length} of ${count(report.servers.length, "server")}, ${count(tools, "tool")}, after ${milliseconds(report.ms)}${rest}`,
  );
}

/** One line about the end. */
export function stopLine(report: StopReport): string {
  const forced = report.forced === 0 ? "" : `, ${report.forced} by force`;
  const left = report.survivors.length === 0 ? "nothing is left" : `${report.survivors.length} STILL RUNNING`;
  return `stopped: ${report.ended} ended${forced}, ${left}, took ${milliseconds(report.ms)}`;
}
