import { isRecord } from "../../protocol/serverInfo.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerRecord } from "../state/serverRecord.js";

const perWindow = 20;
const windowMs = 1000;
const longestText = 2000;

const levels: Readonly<Record<string, "debug" | "info" | "warning" | "error">> = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warning",
  error: "error",
  critical: "error",
  alert: "error",
  emergency: "error",
};

/**
 * The log messages of one server (MCP, Logging) as facts: masked, cut, and at most 20 a second; what was over is told as
 * a number with the next one. Nothing is told unless the host asked for messages.
 */
export function createServerLog(record: ServerRecord, shared: SharedState): (params: unknown) => void {
  let windowEnds = 0;
  let told = 0;
  let dropped = 0;

  return (params) => {
    if (shared.logLevel === undefined || !isRecord(params)) return;
    const now = shared.clock.now();
    if (now >= windowEnds) {
      windowEnds = now + windowMs;
      told = 0;
    }
    if (++told > perWindow) return void dropped++;
    const missed = dropped === 0 ? "" : ` (${dropped} messages before it were dropped)`;
    dropped = 0;
    const level = levels[String(params["level"])] ?? "info";
    shared.bus.publish({
      type: "mcp.log",
      id: record.id,
      level,
      message: cut(record.mask(textOf(params))) + missed,
    });
  };
}

function textOf({ logger, data }: Readonly<Record<string, unknown>>): string {
  const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  const from = typeof logger === "string" ? `${logger}: ` : "";
  return from + text;
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
