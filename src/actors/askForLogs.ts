import { elapsedOf } from "../clock.js";
import type { Session } from "../protocol/mcp.js";
import type { Channel } from "../rpc/channel.js";
import { request } from "../rpc/request.js";
import type { LifePorts } from "./lifePorts.js";

/** Tells a legacy server once per session which log messages are wanted; a modern one is told with every request. */
export function askForLogs(
  channel: Channel,
  { capabilities }: Session,
  { logLevel, clock, deadlines }: LifePorts,
  timeoutMs: number,
): void {
  if (logLevel === undefined || channel.codec.modern || !("logging" in capabilities)) return;
  const dueAt = elapsedOf(clock) + timeoutMs;
  void request(channel, "logging/setLevel", { level: logLevel }, { dueAt, deadlines });
}
