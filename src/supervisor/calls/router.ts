import { ToolCall, type CallStart } from "../../actors/call.js";
import { elapsedOf } from "../../clock.js";
import { parseDuration } from "../../config/fields/duration.js";
import type { Duration } from "../../config/entries/input.js";
import type { Failure } from "../../errors.js";
import { watchAbort } from "../../rpc/aborts.js";
import { callIdOf } from "../../streams/callFacts.js";
import { allows } from "../../policy/decision.js";
import { unknownTool } from "../../policy/failures.js";
import { prepareArguments, type Prepared } from "../../tools/arguments.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { CallInfo, ToolResult } from "../../tools/types.js";
import { outlived } from "./afterWait.js";
import type { Verdict, Judgement } from "../state/consent.js";
import type { SharedState } from "../state/sharedState.js";
import type { Dispatcher } from "./dispatcher.js";
import { speakFor } from "./envelope.js";
import { failed } from "./result.js";
import type { CallBehalf, CallOptions, CallSubject } from "../contract/calls.js";
import type { SupervisorOptions } from "../contract/options.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";

/** No call lasts longer, however much progress comes. */
const longestMs = 3_600_000;
const totalFactor = 10;

/** The way of a call from its public name to the dispatcher; whatever goes wrong on it is a failed result. */
export function createRouter(
  shared: SharedState,
  dispatcher: Dispatcher,
  callMeta?: SupervisorOptions["callMeta"],
) {
  let count = 0;

  function callTool(name: string, args: unknown, options: CallOptions): Promise<ToolResult> {
    const number = ++count;
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
    const record = entry === undefined ? undefined : shared.records.get(entry.server);
    if (shared.closed !== undefined) return { kind: "unavailable", message: shared.closed };
    if (entry === undefined || record === undefined) return { kind: "unknown-tool", message: unknown(name) };
    if (options.signal?.aborted === true)
      return { kind: "cancelled", message: `the call of "${name}" was cancelled before it was sent` };
    const idleMs = options.timeout === undefined ? record.spec.callTimeoutMs : readTimeout(options.timeout);
    if (typeof idleMs !== "number")
      return wrongArguments(`timeout of the call of "${name}" ${idleMs.problem}`);
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
      totalMs: Math.min(idleMs * totalFactor, Math.max(longestMs, idleMs)),
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
    decide(call, record, entry, prepared.args, options.behalf, options.approve);
    return undefined;
  }

  /** Lets the call go on, refuses it, or asks a person first. */
  function decide(
    call: Call,
    record: ServerRecord,
    entry: ToolEntry,
    args: unknown,
    behalf: CallBehalf | undefined,
    approve: CallOptions["approve"],
  ): void {
    const verdict = shared.permissions.decide(record, entry, behalf);
    if (verdict.decision === "allow") return admit(call, record, call.start.startedAt);
    const { name } = call.start;
    if (verdict.decision !== "ask")
      return dispatcher.fail(call, record, {
        kind: "denied",
        message: `"${name}" is not allowed: ${verdict.reason}`,
      });
    call.step("ask");
    const asked = shared.approvals.ask(
      shared.permissions.question(record, entry, args, verdict, behalf),
      call.start.callId,
      approve,
    );
    if (asked === undefined) {
      return dispatcher.fail(call, record, {
        kind: "overloaded",
        message: `"${name}" needs an approval, but too many are open; decide some of them first`,
      });
    }
    call.approval = asked.id;
    void goOn(call, record, verdict, asked.verdict);
  }

  async function goOn(
    call: Call,
    record: ServerRecord,
    verdict: Judgement,
    asked: Promise<Verdict>,
  ): Promise<void> {
    const { decision, by } = await asked;
    call.approval = undefined;
    if (call.state !== "deciding") return;
    if (!allows(decision)) return dispatcher.fail(call, record, denial(call, record, by));
    // What the person has seen may have become another tool meanwhile.
    const failure = outlived(call, record, shared);
    if (failure !== undefined) return dispatcher.fail(call, record, failure);
    shared.permissions.remember(call.start.entry, verdict, decision, call.behalf);
    const now = elapsedOf(shared.clock);
    call.restartClock(now);
    admit(call, record, now);
  }

  function admit(call: Call, record: ServerRecord, now: number): void {
    shared.deadlines.add(call);
    dispatcher.admit(call, record, now);
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

  function unknown(name: string): string {
    if (shared.catalog.excluded(name) !== undefined)
      return `tool "${name}" is switched off by a rule of its server (tools.include / tools.exclude)`;
    return unknownTool(name, shared.catalog.near(name)).message;
  }

  return { callTool };
}

function wrongArguments(message: string): Failure {
  return { kind: "invalid-arguments", message };
}

function denial(call: Call, record: ServerRecord, by: string): Failure {
  const { name } = call.start;
  const why: Record<string, string> = {
    host: "it was denied",
    timeout: "nobody answered the approval in time",
    cancelled: "the question was withdrawn",
    disconnected: `server "${record.spec.name}" went away while the approval was open`,
    stopped: "the supervisor stopped while the approval was open",
  };
  const kind = by === "stopped" || by === "disconnected" ? "unavailable" : "denied";
  return { kind, message: `"${name}" was not called: ${why[by] ?? by}` };
}

function readTimeout(timeout: Duration): number | { problem: string } {
  const read = parseDuration(timeout);
  if (!read.ok) return read;
  return read.ms > 0 ? read.ms : { problem: "must be above 0 ms" };
}

/** A host's object may throw when it is read: that is a fault of the arguments. */
function prepare(args: unknown, entry: ToolEntry, coerce: boolean): Prepared {
  try {
    return prepareArguments(args, entry, { coerce });
  } catch (error) {
    return { ok: false, message: `the arguments of "${entry.name}" cannot be read: ${textOf(error)}` };
  }
}

/** What the host adds to `_meta`; a hook that throws or gives no texts adds nothing. */
function metaJsonOf(callMeta: NonNullable<SupervisorOptions["callMeta"]>, of: CallSubject): string {
  try {
    return Object.entries(callMeta(of) ?? {})
      .filter(([, value]) => typeof value === "string")
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
      .join("");
  } catch {
    // The host's own fault must not cost it the call.
    return "";
  }
}

/** JSON of an object, or undefined: nothing else may go out as arguments. */
function encode(args: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(args);
    return text?.[0] === "{" ? text : undefined;
  } catch {
    // Cycles and BigInt: the caller is told, nothing is sent.
    return undefined;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
