import type { RawTool } from "./mcp.js";
import { isRecord } from "./serverInfo.js";

/** A call that goes on at the server after its answer (MCP 2025-11-25, Tasks; 2026-07-28, Tasks extension). */
export interface Task {
  readonly id: string;
  readonly status: string;
  readonly message?: string;
  /** How long to wait before asking again, in ms, as the server wishes. */
  readonly pollMs?: number;
}

const shortestMs = 50;
const longestMs = 60_000;
const usualMs = 1000;

/** Reads the task fields of either revision; undefined when there is no task id. */
export function readTask(value: unknown): Task | undefined {
  if (!isRecord(value) || typeof value["taskId"] !== "string") return undefined;
  const { taskId, status, statusMessage } = value;
  const pollMs = value["pollIntervalMs"] ?? value["pollInterval"];
  return {
    id: taskId,
    status: typeof status === "string" ? status : "working",
    ...(typeof statusMessage === "string" ? { message: statusMessage } : {}),
    ...(typeof pollMs === "number" && pollMs >= 0 ? { pollMs } : {}),
  };
}

/** The wait before the next look at a task, in ms: as the server wishes, within 50 ms and 60 s. */
export function pollDelay(task: Task): number {
  return Math.min(Math.max(task.pollMs ?? usualMs, shortestMs), longestMs);
}

/** Whether nothing more will happen to a task. */
export function isOver(task: Task): boolean {
  return task.status === "completed" || task.status === "failed" || task.status === "cancelled";
}

/**
 * Whether a tool must be called as a task: it says `required`, and its server serves tasks for calls. Others are called
 * plainly, which both `forbidden` and `optional` allow (MCP 2025-11-25, Tasks / tool-level negotiation).
 */
export function mustBeTask(tool: RawTool, capabilities: Readonly<Record<string, unknown>>): boolean {
  return tool.execution?.taskSupport === "required" && servesTasks(capabilities);
}

function servesTasks(capabilities: Readonly<Record<string, unknown>>): boolean {
  let at: unknown = capabilities;
  for (const name of ["tasks", "requests", "tools", "call"]) at = isRecord(at) ? at[name] : undefined;
  return isRecord(at);
}
