import type { CallHost } from "../../actors/call.js";
import { maskedCause } from "../../actors/cause.js";
import { elapsedOf } from "../../clock.js";
import type { Cause, Failure } from "../../errors.js";
import { admit as mayEnter } from "../../policy/admission.js";
import { cancelled, lostCall, overloaded, protocolError } from "../../policy/failures.js";
import { mayRetry } from "../../policy/retry.js";
import type { RawTool } from "../../protocol/mcp.js";
import { unwatchAbort } from "../../rpc/aborts.js";
import type { ProgressNote, Reply } from "../../rpc/pending.js";
import type { ToolResult } from "../../tools/types.js";
import { outlived } from "./afterWait.js";
import { callInfo, tellSettled, targetOf } from "./callInfo.js";
import type { Desk } from "../state/sharedState.js";
import { dressUp, giveUp, prepare } from "./envelope.js";
import { FollowUp } from "./followUp.js";
import type { CallPorts } from "./callPorts.js";
import { answered, failed } from "./result.js";
import { maskedFailure, unavailable } from "../state/failures.js";
import { silenceFailure } from "./silence.js";
import { leave } from "../state/serverRecord.js";
import type { Call, Unit } from "../state/serverRecord.js";
import type { WaitingCalls } from "../state/waitingCalls.js";
import { joinedGeneration, whyNoWait } from "./waiting.js";

/** Sends calls, keeps the queues, and settles each call exactly once. */
export class Dispatcher implements CallHost<Unit>, CallPorts, WaitingCalls {
  readonly #desk: Desk;
  readonly #followUp: FollowUp;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#followUp = new FollowUp(desk, this);
  }

  /** Sends at once, queues, or refuses, at this monotonic ms. */
  admit(call: Call, unit: Unit, now: number): void {
    const load = { ready: unit.live !== undefined, inFlight: unit.inFlight, queued: unit.queue.size };
    const verdict = mayEnter(load, unit.spec.limits);
    if (verdict === "go") return this.#send(call, unit, now);
    if (verdict === "overloaded") {
      const retryAfterMs = Math.ceil(unit.latency.percentiles()?.p50 ?? 1000);
      return this.fail(call, unit, {
        ...overloaded(targetOf(call), unit.inFlight, unit.queue.size),
        retryAfterMs,
      });
    }
    this.#enqueue(call, unit);
  }

  pump(unit: Unit): void {
    while (unit.live !== undefined && unit.inFlight < unit.spec.limits.inFlight) {
      const call = unit.queue.shift();
      if (call === undefined) return;
      this.#desk.keeper.release();
      const failure = outlived(call, unit, this.#desk);
      if (failure === undefined) this.#send(call, unit, elapsedOf(this.#desk.clock));
      else this.fail(call, unit, failure);
    }
  }

  failWaiting(unit: Unit, cause: Cause): void {
    const failure = unavailable(unit, cause);
    for (const call of unit.queue.items()) this.fail(call, unit, failure);
  }

  onRest(unit: Unit): void {
    const asked = unit.cause.kind === "requested";
    const failure = unavailable(unit, asked ? unit.cause : (unit.lastError ?? unit.cause));
    for (const call of unit.queue.items()) {
      if (asked || call.waitsFor <= unit.generation) this.fail(call, unit, failure);
    }
    if (unit.queue.size > 0) this.#desk.bus.order({ type: "server.wake", id: unit.id });
  }

  failHopeless(unit: Unit): void {
    for (const call of unit.queue.items()) {
      const failure = whyNoWait(unit, this.#desk, call);
      if (failure !== undefined) this.fail(call, unit, failure);
    }
  }

  /** Failures are texts of ours with parts of a server's in them: secrets are masked, unlike in results. */
  fail(call: Call, unit: Unit, failure: Failure): void {
    const info = callInfo(call, unit, elapsedOf(this.#desk.clock));
    this.#finish(call, unit, failed(info, maskedFailure(failure, unit), call.warnings));
  }

  complete(call: Call, unit: Unit, reply: Reply & { kind: "result" }): void {
    const result = answered(call, unit, reply, callInfo(call, unit, elapsedOf(this.#desk.clock)));
    if (!(result instanceof Promise)) return this.#finish(call, unit, result);
    void result.then((each) => this.#finish(call, unit, each));
  }

  resend(call: Call, tool: RawTool = call.start.entry.tool): void {
    const { channel } = call;
    if (channel === undefined) return;
    dressUp(call, tool, channel);
    const refused = channel.send(call);
    // Its first round has reached the server, whatever becomes of this one.
    if (refused !== undefined) this.replied(call, { kind: "lost", sent: "yes", cause: refused });
  }

  resumed(call: Call): void {
    if (call.state === "sent") this.#desk.deadlines.add(call);
  }

  replied(call: Call, reply: Reply): void {
    const unit = call.owner;
    if (call.state !== "sent") return;
    switch (reply.kind) {
      case "result": {
        call.sent = "yes";
        call.life?.prove();
        if (
          (call.asTask || call.channel?.codec.modern === true) &&
          this.#followUp.takes(call, unit, reply.result)
        )
          return;
        return this.complete(call, unit, reply);
      }
      case "error": {
        call.sent = "yes";
        call.life?.prove();
        if (this.#followUp.mends(call, unit, reply.error)) return;
        return this.fail(call, unit, protocolError(reply.error, targetOf(call)));
      }
      case "lost":
      case "refused":
        return this.#broken(call, unit, reply);
      case "timeout":
      case "cancelled":
        // A tool call carries its own deadline and signal; the channel never settles it so.
        return;
    }
  }

  expired(call: Call, total: boolean): void {
    const unit = call.owner;
    const wasSent = call.state === "sent";
    if (wasSent) giveUp(call, "timeout");
    this.fail(call, unit, silenceFailure(call, unit, total, wasSent));
  }

  aborted(call: Call): void {
    const unit = call.owner;
    if (call.state === "settled") return;
    const sent = call.state === "sent";
    if (sent) giveUp(call, "cancelled by the caller");
    if (call.approval !== undefined) this.#desk.approvals.decide(call.approval, "deny", "cancelled");
    this.fail(call, unit, cancelled(targetOf(call), call.sent));
  }

  progressed(call: Call, note: ProgressNote): void {
    if (call.state !== "sent") return;
    call.extend(elapsedOf(this.#desk.clock));
    const { callId, entry, onProgress } = call.start;
    this.#desk.bus.publish({
      type: "mcp.call.progress",
      call: callId,
      id: entry.server,
      progress: note.progress,
      ...(note.total === undefined ? {} : { total: note.total }),
      ...(note.message === undefined ? {} : { messageChars: note.message.length }),
    });
    try {
      onProgress?.(note);
    } catch {
      // The host's own handler; its fault must not end the call.
    }
  }

  #send(call: Call, unit: Unit, now: number): void {
    const life = unit.live;
    if (life?.channel === undefined || !call.step("send")) return;
    unit.inFlight++;
    life.inFlight++;
    call.attempts++;
    call.life = life;
    call.channel = life.channel;
    call.sentAt = life.usedAt = now;
    call.sent = "unknown";
    prepare(call, life);
    const refused = life.channel.send(call);
    if (refused !== undefined) this.replied(call, { kind: "refused", cause: refused });
  }

  #enqueue(call: Call, unit: Unit): void {
    const now = unit.live === undefined ? whyNoWait(unit, this.#desk, call) : undefined;
    if (now !== undefined) return this.fail(call, unit, now);
    if (call.state !== "queued" && !call.step("queue")) return;
    call.waitsFor = joinedGeneration(unit);
    unit.queue.push(call.start.caller, call);
    this.#desk.keeper.hold();
    if (unit.live === undefined) this.#desk.bus.order({ type: "server.wake", id: unit.id });
  }

  /** The connection or the exchange broke: run it again only when that is certain to be its first run, or allowed. */
  #broken(call: Call, unit: Unit, reply: Reply & { kind: "lost" | "refused" }): void {
    const { cause } = reply;
    const sent = reply.kind === "refused" ? "no" : reply.sent;
    const came = call.came(sent);
    const gone = cause.kind === "refused" || cause.kind === "dns";
    if (gone) call.life?.lost(cause);
    const { spec } = unit;
    const connectionEnded = gone || call.channel?.open === false;
    const again =
      connectionEnded &&
      mayRetry({
        sent,
        annotations: call.start.entry.tool.annotations,
        trusted: spec.trusted,
        retry: spec.retry,
        attempts: call.attempts,
      });
    if (!again) return this.fail(call, unit, lostCall(maskedCause(cause, unit.mask), came, targetOf(call)));
    call.step("requeue");
    call.rounds = 0;
    this.#release(call, unit);
    this.#enqueue(call, unit);
  }

  #finish(call: Call, unit: Unit, result: ToolResult): void {
    const was = call.state;
    if (!call.step("settle")) return;
    this.#desk.deadlines.remove(call);
    if (call.start.signal !== undefined) unwatchAbort(call.start.signal, call);
    if (was === "queued" && unit.queue.remove(call)) this.#desk.keeper.release();
    call.question?.abort();
    unit.calls++;
    if (!result.ok) unit.failures++;
    if (was === "sent") unit.latency.add(result.call.durationMs - result.call.queuedMs);
    tellSettled(this.#desk.bus, call, result);
    call.finish(result);
    if (was === "sent") {
      this.#release(call, unit);
      this.pump(unit);
    }
  }

  #release(call: Call, unit: Unit): void {
    unit.inFlight--;
    leave(unit, call.life);
  }
}
