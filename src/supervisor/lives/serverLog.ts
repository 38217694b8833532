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

/** From the least to the most severe (MCP, Logging). */
const severity = Object.keys(levels);

/**
 * The log messages of one server (MCP, Logging) as facts: masked, cut with a mark, at most 20 a second; what was over is
 * told as a number with the next one, or by itself when a second has passed. Nothing is told unless the host asked for
 * messages, nor what is less than the level it asked for: servers may ignore that.
 */
export function createServerLog(record: ServerRecord, shared: SharedState): (params: unknown) => void {
  let windowEnds = 0;
  let told = 0;
  let dropped = 0;

  function publish(level: "debug" | "info" | "warning" | "error", message: string): void {
    shared.bus.publish({ type: "mcp.log", id: record.id, level, message });
  }

  /** Nobody says more in time to tell it with. */
  function tellDropped(): void {
    if (dropped === 0 || shared.closed !== undefined) return;
    publish("warning", `${dropped} log messages were dropped: more than ${perWindow} came in a second`);
    dropped = 0;
  }

  return (params) => {
    if (shared.logLevel === undefined || !isRecord(params)) return;
    const given = String(params["level"]);
    const level = Object.hasOwn(levels, given) ? given : "info";
    if (severity.indexOf(level) < severity.indexOf(shared.logLevel)) return;
    const now = shared.clock.now();
    if (now >= windowEnds) {
      windowEnds = now + windowMs;
      told = 0;
    }
    if (++told > perWindow) {
      if (dropped++ === 0) shared.clock.setTimeout(tellDropped, windowEnds - now + windowMs);
      return;
    }
    const missed = dropped === 0 ? "" : ` (${dropped} messages before it were dropped)`;
    dropped = 0;
    publish(levels[level] ?? "info", cut(record.mask(textOf(params))) + missed);
  };
}

function textOf({ logger, data }: Readonly<Record<string, unknown>>): string {
  const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  const from = typeof logger === "string" ? `${logger}: ` : "";
  return from + text;
}

function cut(text: string): string {
  return text.length > longestText
    ? `${text.slice(0, longestText)}… (cut: ${text.length} characters in all)`
    : text;
}
