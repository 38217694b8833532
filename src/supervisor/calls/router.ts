import { ToolCall } from "../../actors/call.js";
import type { CallStart } from "../../actors/call.js";
import { elapsedOf } from "../../clock.js";
import { parseDuration } from "../../config/fields/duration.js";
import type { Duration } from "../../config/entries/input.js";
import type { Failure } from "../../errors.js";
import { watchAbort } from "../../rpc/aborts.js";
import { callIdOf } from "../../streams/callFacts.js";
import { unknownTool } from "../../policy/failures.js";
import { prepareArguments } from "../../tools/arguments.js";
import type { Prepared } from "../../tools/arguments.js";
import type { ToolEntry } from "../../tools/catalog.js";
import type { CallInfo, ToolResult } from "../../tools/types.js";
import { outlived } from "./afterWait.js";
import type { Verdict, Judgement } from "../state/consent.js";
import type { Desk } from "../state/sharedState.js";
import type { Dispatcher } from "./dispatcher.js";
import { failed } from "./result.js";
import type { CallOptions, CallSubject } from "../contract/calls.js";
import type { SupervisorOptions } from "../contract/options.js";
import type { Call, Unit } from "../state/serverRecord.js";

/** No call lasts longer, however much progress comes. */
const longestMs = 3_600_000;
const totalFactor = 10;

/** The way of a call from its public name to the dispatcher; whatever goes wrong on it is a failed result. */
export function createRouter(desk: Desk, dispatcher: Dispatcher, callMeta?: SupervisorOptions["callMeta"]) {
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
    const entry = desk.catalog.find(name);
    const unit = entry === undefined ? undefined : desk.units.get(entry.server);
    if (desk.closed !== undefined) return { kind: "unavailable", message: desk.closed };
    if (entry === undefined || unit === undefined) return { kind: "unknown-tool", message: unknown(name) };
    if (options.signal?.aborted === true)
      return { kind: "cancelled", message: `the call of "${name}" was cancelled before it was sent` };
    const idleMs = options.timeout === undefined ? unit.spec.callTimeoutMs : readTimeout(options.timeout);
    if (typeof idleMs !== "number")
      return wrongArguments(`timeout of the call of "${name}" ${idleMs.problem}`);
    const prepared = prepare(args, entry, unit.spec.coerce);
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
      startedAt: elapsedOf(desk.clock),
      idleMs,
      totalMs: Math.min(idleMs * totalFactor, Math.max(longestMs, idleMs)),
      signal: options.signal,
      caller: options.caller ?? "",
      onProgress: options.onProgress,
    };
    const call = new ToolCall(start, unit, dispatcher, resolve);
    if (prepared.warnings.length > 0) call.warnings = [...prepared.warnings];
    if (options.signal !== undefined) watchAbort(options.signal, call);
    const size = argumentsJson.length;
    desk.bus.note({ kind: "started", route: entry, count: number, size, queuedMs: 0, durationMs: 0 });
    if (callMeta !== undefined)
      call.metaJson = metaJsonOf(callMeta, { id: start.callId, server: unit.id, tool: entry.tool.name });
    decide(call, unit, entry, prepared.args);
    return undefined;
  }

  /** Lets the call go on, refuses it, or asks a person first. */
  function decide(call: Call, unit: Unit, entry: ToolEntry, args: unknown): void {
    const verdict = desk.permissions.decide(unit, entry);
    if (verdict.decision === "allow") return admit(call, unit, call.start.startedAt);
    const { name } = call.start;
    if (verdict.decision !== "ask")
      return dispatcher.fail(call, unit, {
        kind: "denied",
        message: `"${name}" is not allowed: ${verdict.reason}`,
      });
    call.step("ask");
    const asked = desk.approvals.ask(
      desk.permissions.question(unit, entry, args, verdict),
      call.start.callId,
    );
    if (asked === undefined) {
      return dispatcher.fail(call, unit, {
        kind: "overloaded",
        message: `"${name}" needs an approval, but too many are open; decide some of them first`,
      });
    }
    call.approval = asked.id;
    void goOn(call, unit, verdict, asked.verdict);
  }

  async function goOn(call: Call, unit: Unit, verdict: Judgement, asked: Promise<Verdict>): Promise<void> {
    const { decision, by } = await asked;
    call.approval = undefined;
    if (call.state !== "deciding") return;
    if (decision === "deny") return dispatcher.fail(call, unit, denial(call, unit, by));
    // What the person has seen may have become another tool meanwhile.
    const failure = outlived(call, unit, desk);
    if (failure !== undefined) return dispatcher.fail(call, unit, failure);
    desk.permissions.remember(call.start.entry, verdict, decision);
    const now = elapsedOf(desk.clock);
    call.restartClock(now);
    admit(call, unit, now);
  }

  function admit(call: Call, unit: Unit, now: number): void {
    desk.deadlines.add(call);
    dispatcher.admit(call, unit, now);
  }

  function refuse(number: number, name: string, failure: Failure): ToolResult {
    const entry = desk.catalog.find(name);
    const server = entry?.server ?? "";
    const tool = entry?.tool.name ?? "";
    const times = { queuedMs: 0, durationMs: 0, sent: "no" } as const;
    const info: CallInfo = { id: callIdOf(number), server, tool, name, ...times };
    desk.bus.publish({
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
    if (desk.catalog.excluded(name) !== undefined)
      return `tool "${name}" is switched off by a rule of its server (tools.include / tools.exclude)`;
    return unknownTool(name, desk.catalog.near(name)).message;
  }

  return { callTool };
}

function wrongArguments(message: string): Failure {
  return { kind: "invalid-arguments", message };
}

function denial(call: Call, unit: Unit, by: string): Failure {
  const { name } = call.start;
  const why: Record<string, string> = {
    host: "it was denied",
    timeout: "nobody answered the approval in time",
    cancelled: "the question was withdrawn",
    disconnected: `server "${unit.spec.name}" went away while the approval was open`,
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
