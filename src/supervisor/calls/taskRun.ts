import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { protocolError } from "../../policy/failures.js";
import { readInputRequests } from "../../protocol/rounds.js";
import { isRecord } from "../../protocol/serverInfo.js";
import { isOver, pollDelay, readTask } from "../../protocol/tasks.js";
import type { Task } from "../../protocol/tasks.js";
import type { Channel } from "../../rpc/channel.js";
import type { Reply } from "../../rpc/pending.js";
import { request } from "../../rpc/request.js";
import type { SharedState } from "../state/sharedState.js";
import { answerAll } from "./answerAll.js";
import { targetOf, whoseCall } from "./callInfo.js";
import type { CallPorts } from "./callPorts.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import { pause, recordReaches } from "../state/watch.js";

const lookMs = 30_000;

/**
 * Follows a task to its end: looks at it as often as the server wishes, answers what it asks, tells its progress, and
 * outlives a lost connection as long as the call has time. Settles the call.
 */
export async function runTask(
  call: Call,
  record: ServerRecord,
  first: Task,
  shared: SharedState,
  ports: CallPorts,
): Promise<void> {
  const isModern = call.channel?.codec.modern === true;
  const answered = new Set<string>();
  let task = first;
  let looks = 0;
  call.cancelTask = () => cancel(record, task.id, shared);
  call.channel?.follow(call);
  for (;;) {
    if (!isModern && (isOver(task) || task.status === "input_required")) return fetchResult();
    if (!isOver(task)) await pause(pollDelay(task), shared);
    if (call.state !== "sent") return;
    const reply = await ask("tasks/get", lookMs);
    if (call.state !== "sent") return;
    if (reply.kind === "error") return fail(protocolError(reply.error, targetOf(call)));
    const seen = reply.kind === "result" ? readTask(taskIn(reply.result)) : undefined;
    if (reply.kind !== "result" || seen === undefined) {
      await pause(pollDelay(task), shared);
      continue;
    }
    tell(seen);
    task = seen;
    if (isModern && (await settleModern(taskIn(reply.result)))) return;
  }

  /** True when the call has been settled. */
  async function settleModern(fields: unknown): Promise<boolean> {
    const given = isRecord(fields) ? fields : {};
    if (task.status === "completed") {
      ports.complete(call, record, { kind: "result", result: given["result"] });
      return true;
    }
    if (task.status === "failed" || task.status === "cancelled") {
      fail(ended(call, task, given["error"]));
      return true;
    }
    const wanted = readInputRequests(given["inputRequests"]).filter(({ key }) => !answered.has(key));
    if (task.status !== "input_required" || wanted.length === 0) return false;
    const responses = await answerAll(call, record, wanted, shared);
    if (call.state !== "sent") return true;
    if ("failure" in responses) {
      fail(responses.failure);
      return true;
    }
    for (const { key } of wanted) answered.add(key);
    await ask("tasks/update", lookMs, { inputResponses: responses.answers });
    return false;
  }

  /** Legacy: waits for the result as long as the call has time; on a lost connection the task is looked at again. */
  async function fetchResult(): Promise<void> {
    for (;;) {
      const reply = await ask("tasks/result", Infinity);
      if (call.state !== "sent") return;
      if (reply.kind === "result") return ports.complete(call, record, reply);
      if (reply.kind === "error") return fail(protocolError(reply.error, targetOf(call)));
      await pause(pollDelay(task), shared);
    }
  }

  /** One request about the task on the connection of now, which may be a later one than that of the call. */
  async function ask(method: string, limitMs: number, more: object = {}): Promise<Reply> {
    const channel = await channelOf(call, record, shared);
    if (channel === undefined)
      return { kind: "refused", cause: { kind: "internal", message: "no connection" } };
    const dueAt = Math.min(elapsedOf(shared.clock) + limitMs, call.endsAt);
    return request(channel, method, { taskId: task.id, ...more }, { dueAt, deadlines: shared.deadlines });
  }

  /** A task that is looked at and goes on is a sign of life. */
  function tell(seen: Task): void {
    looks++;
    call.extend(elapsedOf(shared.clock));
    if (seen.message !== undefined && seen.message !== task.message)
      ports.progressed(call, { progress: looks, message: seen.message });
  }

  function fail(failure: Failure): void {
    ports.fail(call, record, failure);
  }
}

/** The live channel, waking the server when it is down; undefined when there is none before the call ends. */
async function channelOf(
  call: Call,
  record: ServerRecord,
  shared: SharedState,
): Promise<Channel | undefined> {
  if (record.live === undefined) {
    shared.bus.order({ type: "server.wake", id: record.id });
    const left = call.endsAt - elapsedOf(shared.clock);
    await recordReaches(record, (each) => each.live !== undefined || call.state !== "sent", shared, left);
  }
  return record.live?.channel;
}

function cancel(record: ServerRecord, taskId: string, shared: SharedState): void {
  const channel = record.live?.channel;
  if (channel === undefined) return;
  const dueAt = elapsedOf(shared.clock) + lookMs;
  // Cooperative: the answer changes nothing for a caller that no longer waits.
  void request(channel, "tasks/cancel", { taskId }, { dueAt, deadlines: shared.deadlines });
}

/** Some servers nest the fields in `task`. */
function taskIn(result: unknown): unknown {
  return isRecord(result) && isRecord(result["task"]) ? result["task"] : result;
}

function ended(call: Call, task: Task, error: unknown): Failure {
  const { code, message } = isRecord(error) ? error : {};
  if (task.status === "failed" && typeof code === "number") {
    const text = typeof message === "string" ? message : "no message";
    return protocolError({ code, message: text }, targetOf(call));
  }
  const why = task.message === undefined ? "" : `: ${task.message}`;
  return {
    kind: "tool-error",
    message: `the task of ${whoseCall(call)} ${task.status}${why}`,
  };
}
