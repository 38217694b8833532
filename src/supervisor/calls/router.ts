import { ToolCall } from "../../actors/call.js";
import type { CallStart } from "../../actors/callStart.js";
import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { watchAbort } from "../../rpc/aborts.js";
import { callIdOf } from "../../streams/callFacts.js";
import type { CallInfo, ToolResult } from "../../tools/types.js";
import type { SharedState } from "../state/sharedState.js";
import type { Dispatcher } from "./dispatcher.js";
import { ownerToBe, untilKnown } from "./early.js";
import { speakFor } from "./envelope.js";
import { failed } from "./result.js";
import type { CallOptions } from "../contract/calls.js";
import type { SupervisorOptions } from "../contract/options.js";
import { encode, metaJsonOf, prepare, readTimeout, textOf, totalOf, wrongArguments } from "./callInput.js";
import { createPermit } from "./permit.js";
import { unlisted } from "./unlisted.js";

/** The way of a call from its public name to the dispatcher; whatever goes wrong on it is a failed result. */
export function createRouter(
  shared: SharedState,
  dispatcher: Dispatcher,
  callMeta?: SupervisorOptions["callMeta"],
) {
  const permit = createPermit(shared, dispatcher);
  let count = 0;

  function callTool(name: string, args: unknown, options: CallOptions): Promise<ToolResult> {
    const number = ++count;
    const { signal } = options;
    const owner =
      shared.closed === undefined && shared.catalog.find(name) === undefined
        ? ownerToBe(name, shared)
        : undefined;
    if (owner !== undefined && signal?.aborted !== true) {
      const given = options.timeout === undefined ? owner.spec.callTimeoutMs : readTimeout(options.timeout);
      const limit = typeof given === "number" ? given : 0;
      return untilKnown(owner, shared, limit, signal).then(() => begin(number, name, args, options));
    }
    return begin(number, name, args, options);
  }

  function begin(number: number, name: string, args: unknown, options: CallOptions): Promise<ToolResult> {
    return new Promise((resolve) => {
      try {
        const failure = route(number, name, args, options, resolve);
        if (failure !== undefined) resolve(refuse(number, name, failure));
      } catch (error) {
        const message = `mcpvisor failed while routing "${name}": ${textOf(error)}`;
        resolve(refuse(number, name, { kind: "internal", message }));
      }
    });
  }

  /** Begins the call, or says why it cannot begin. */
  function route(
    number: number,
    name: string,
    args: unknown,
    options: CallOptions,
    resolve: (result: ToolResult) => void,
  ): Failure | undefined {
    const entry = shared.catalog.find(name);
    const offering = entry === undefined ? undefined : shared.records.get(entry.server);
    const record = offering && shared.recordFor(offering, options.behalf?.consumer);
    if (shared.closed !== undefined) return { kind: "unavailable", message: shared.closed };
    if (options.signal?.aborted === true)
      return { kind: "cancelled", message: `the call of "${name}" was cancelled before it was sent` };
    if (entry === undefined || record === undefined) return unlisted(name, shared);
    const idleMs = options.timeout === undefined ? record.spec.callTimeoutMs : readTimeout(options.timeout);
    if (typeof idleMs !== "number")
      return wrongArguments(`timeout of the call of "${name}" ${idleMs.problem}`);
    const totalMs = totalOf(idleMs, options.maxTimeout, record.spec);
    if (typeof totalMs !== "number")
      return wrongArguments(`maxTimeout of the call of "${name}" ${totalMs.problem}`);
    const prepared = prepare(args, entry, record.spec.coerce);
    if (!prepared.ok) return wrongArguments(prepared.message);
    const argumentsJson = encode(prepared.args);
    if (argumentsJson === undefined)
      return wrongArguments(
        `the arguments of "${name}" cannot be written as a JSON object (a cycle, a BigInt, a toJSON of their own)`,
      );
    const start: CallStart = {
      count: number,
      callId: callIdOf(number),
      name,
      entry,
      argumentsJson,
      startedAt: elapsedOf(shared.clock),
      idleMs,
      totalMs,
      signal: options.signal,
      caller: options.caller ?? options.behalf?.consumer ?? "",
      onProgress: options.onProgress,
      behalf: options.behalf,
    };
    const call = new ToolCall(start, record, dispatcher, resolve);
    if (prepared.warnings.length > 0) call.warnings = [...prepared.warnings];
    if (options.signal !== undefined) watchAbort(options.signal, call);
    const size = argumentsJson.length;
    shared.bus.note({
      kind: "started",
      route: entry,
      count: number,
      size,
      queuedMs: 0,
      durationMs: 0,
      behalf: options.behalf,
    });
    if (callMeta !== undefined)
      call.metaJson = metaJsonOf(callMeta, { id: start.callId, server: record.id, tool: entry.tool.name });
    if (options.behalf !== undefined) speakFor(call, options.behalf);
    permit(call, record, entry, prepared.args, options.behalf, options.approve);
    return undefined;
  }

  function refuse(number: number, name: string, failure: Failure): ToolResult {
    const entry = shared.catalog.find(name);
    const server = entry?.server ?? "";
    const tool = entry?.tool.name ?? "";
    const times = { queuedMs: 0, durationMs: 0, sent: "no" } as const;
    const info: CallInfo = { id: callIdOf(number), server, tool, name, ...times };
    shared.bus.publish({
      type: "mcp.call.settled",
      call: info.id,
      id: server,
      tool,
      name,
      ok: false,
      failure: failure.kind,
      ...times,
      resultChars: failure.message.length,
    });
    return failed(info, failure);
  }

  return { callTool };
}
