import { isServerFailure, serverMs } from "../../callFacts.js";
import type { Life } from "../../actors/life.js";
import { elapsedOf } from "../../clock.js";
import type { Failure } from "../../errors.js";
import { unwatchAbort } from "../../rpc/aborts.js";
import type { Reply } from "../../rpc/pending.js";
import type { ToolResult } from "../../tools/types.js";
import { maskedFailure } from "../state/failures.js";
import { leave } from "../state/serverRecord.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import type { SharedState } from "../state/sharedState.js";
import { callInfo, tellSettled } from "./callInfo.js";
import { ProgressFacts } from "./progressFacts.js";
import { answered, failed, withRaw } from "./result.js";

/** Settles each call exactly once, and takes it out of everything that held it. */
export class Settlement {
  /** What it says on the way. */
  readonly progress: ProgressFacts;
  readonly #shared: SharedState;
  /** A slot of this server is free. */
  readonly #freed: (record: ServerRecord) => void;

  constructor(shared: SharedState, freed: (record: ServerRecord) => void) {
    this.#shared = shared;
    this.#freed = freed;
    this.progress = new ProgressFacts(shared);
  }

  /** Failures are texts of ours with parts of a server's in them: secrets are masked, unlike in results. */
  fail(call: Call, record: ServerRecord, failure: Failure): void {
    const info = callInfo(call, record, elapsedOf(this.#shared.clock));
    this.#finish(call, record, withRaw(call, failed(info, maskedFailure(failure, record), call.warnings)));
  }

  complete(call: Call, record: ServerRecord, reply: Reply & { kind: "result" }): void {
    if (call.behalf !== undefined) call.raw = { result: reply.result };
    const result = answered(call, record, reply, callInfo(call, record, elapsedOf(this.#shared.clock)));
    const end = (each: ToolResult): void => this.#finish(call, record, withRaw(call, each));
    void (result instanceof Promise ? result.then(end) : end(result));
  }

  #finish(call: Call, record: ServerRecord, result: ToolResult): void {
    const was = call.state;
    if (!call.step("settle")) return;
    this.#shared.deadlines.remove(call);
    if (call.start.signal !== undefined) unwatchAbort(call.start.signal, call);
    if (was === "queued" && record.queue.remove(call)) this.#shared.keepAlive.release();
    call.question?.abort();
    record.calls++;
    if (!result.ok && isServerFailure(result.failure.kind)) record.failures++;
    if (was === "sent") record.latency.add(serverMs(result.call));
    this.progress.end(call);
    tellSettled(this.#shared.bus, call, result);
    call.finish(result);
    if (was === "sent") {
      this.release(call, record);
      this.#freed(record);
    }
  }

  /** Pipes and sockets keep the process alive while a call is in flight; a server inside of this process does not. */
  hold(call: Call, life: Life): void {
    if (life.transport?.kind !== "memory" || call.holds) return;
    call.holds = true;
    this.#shared.keepAlive.hold();
  }

  /** It is in flight no more. */
  release(call: Call, record: ServerRecord): void {
    record.inFlight--;
    if (call.holds) {
      call.holds = false;
      this.#shared.keepAlive.release();
    }
    leave(record, call.life);
  }
}
