import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { protocolError } from "../../policy/failures.js";
import { isPassedOn } from "../../protocol/behalf.js";
import type { JsonRpcError } from "../../protocol/jsonrpc.js";
import { modernErrors } from "../../protocol/negotiation.js";
import { resultTypeOf, readInputRequired, retryMembers } from "../../protocol/rounds.js";
import type { InputRequired } from "../../protocol/rounds.js";
import { isRecord } from "../../protocol/serverInfo.js";
import { readTask } from "../../protocol/tasks.js";
import { isSameButForMarks } from "../../tools/paramHeaders.js";
import type { SharedState } from "../state/sharedState.js";
import { answerAll } from "./answerAll.js";
import { targetOf, whoseCall } from "./callInfo.js";
import { runTask } from "./taskRun.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import { pause } from "../state/watch.js";
import type { CallPorts } from "./callPorts.js";

const refreshMs = 20_000;
const mostRounds = 10;
/** A server that only hands out a state wants to be asked again a little later. */
const paceMs = 250;

/** Goes on with a call whose answer is a question or a task (MCP 2026-07-28, results). */
export class FollowUp {
  readonly #shared: SharedState;
  readonly #ports: CallPorts;

  constructor(shared: SharedState, ports: CallPorts) {
    this.#shared = shared;
    this.#ports = ports;
  }

  /** True when the call goes on (or has failed here); false when this is its result. */
  takes(call: Call, record: ServerRecord, result: unknown): boolean {
    if (call.asTask) {
      const task = readTask(isRecord(result) ? result["task"] : undefined);
      if (task === undefined) return false;
      void runTask(call, record, task, this.#shared, this.#ports);
      return true;
    }
    const type = resultTypeOf(result);
    if (type === "complete" || isPassedOn(type, call.behalf)) return false;
    const task = type === "task" ? readTask(result) : undefined;
    const wanted = type === "input_required" ? readInputRequired(result) : undefined;
    if (task !== undefined) void runTask(call, record, task, this.#shared, this.#ports);
    else if (wanted !== undefined) void this.#nextRound(call, record, wanted);
    else this.#ports.fail(call, record, oddResult(call, type));
    return true;
  }

  /**
   * True when the server refused the headers of a call and a fresh list gives it a second try (MCP 2026-07-28,
   * HeaderMismatch): the tool's header marks may have changed.
   */
  mends(call: Call, record: ServerRecord, error: JsonRpcError): boolean {
    if (error.code !== modernErrors.headerMismatch || call.channel?.codec.modern !== true || call.refreshed)
      return false;
    call.refreshed = true;
    void this.#refresh(call, record, error);
    return true;
  }

  async #refresh(call: Call, record: ServerRecord, error: JsonRpcError): Promise<void> {
    const { clock, catalog } = this.#shared;
    try {
      await record.live?.list(undefined, Math.min(elapsedOf(clock) + refreshMs, call.endsAt));
    } catch {
      // The old list is as good as none here: the second refusal tells what is wrong.
    }
    if (call.state !== "sent") return;
    const { tool } = catalog.find(call.start.name) ?? call.start.entry;
    // A tool that has become another one must be allowed anew.
    if (isSameButForMarks(tool, call.start.entry.tool)) this.#ports.resend(call, tool);
    else this.#ports.fail(call, record, protocolError(error, targetOf(call)));
  }

  async #nextRound(call: Call, record: ServerRecord, wanted: InputRequired): Promise<void> {
    if (++call.rounds > mostRounds) return this.#ports.fail(call, record, tooManyRounds(call));
    if (wanted.requests.length === 0) await pause(paceMs, this.#shared);
    const responses = await answerAll(call, record, wanted.requests, this.#shared);
    if (call.state !== "sent") return;
    if ("failure" in responses) return this.#ports.fail(call, record, responses.failure);
    call.extraJson = retryMembers(wanted, responses.answers);
    this.#ports.resend(call);
  }
}

function oddResult(call: Call, type: string): Failure {
  return {
    kind: "invalid-result",
    message: `${whoseCall(call)} answered with a result of type ${type.slice(0, 60)}, which is not known or incomplete`,
  };
}

function tooManyRounds(call: Call): Failure {
  return {
    kind: "invalid-result",
    message: `${whoseCall(call)} asked for input more than ${mostRounds} times without an end`,
  };
}
