import type { CallListener } from "../../actors/call.js";
import { maskedCause } from "../../actors/cause.js";
import { elapsedOf } from "../../clock.js";
import type { Cause, Failure } from "../../errors.js";
import { admit as mayEnter } from "../../policy/admission.js";
import { cancelled, lostCall, overloaded, protocolError } from "../../policy/failures.js";
import type { RawTool } from "../../protocol/mcp.js";
import type { ProgressNote, Reply } from "../../rpc/pending.js";
import { outlived } from "./afterWait.js";
import { goesAgain, isGone } from "./again.js";
import { targetOf } from "./callInfo.js";
import type { SharedState } from "../state/sharedState.js";
import { setCallHeaders, giveUp, fillEnvelope } from "./envelope.js";
import { FollowUp } from "./followUp.js";
import type { CallPorts } from "./callPorts.js";
import { unavailable } from "../state/failures.js";
import { Settlement } from "./settlement.js";
import { silenceFailure } from "./silence.js";
import type { Call, ServerRecord } from "../state/serverRecord.js";
import type { WaitingCalls } from "../state/waitingCalls.js";
import { takesTurn, joinedGeneration, whyNoWait } from "./waiting.js";

/** Sends calls, keeps the queues, and judges what comes of each call. */
export class Dispatcher implements CallListener<ServerRecord>, CallPorts, WaitingCalls {
  readonly #shared: SharedState;
  readonly #settlement: Settlement;
  readonly #followUp: FollowUp;

  constructor(shared: SharedState) {
    this.#shared = shared;
    this.#settlement = new Settlement(shared, (record) => this.pump(record));
    this.#followUp = new FollowUp(shared, this);
  }

  /** Sends at once, queues, or refuses, at this monotonic ms. */
  admit(call: Call, record: ServerRecord, now: number): void {
    const ready = record.live !== undefined && takesTurn(record, call.start.behalf);
    const load = { ready, inFlight: record.inFlight, queued: record.queue.size };
    const verdict = mayEnter(load, record.spec.limits);
    if (verdict === "go") return this.#send(call, record, now);
    if (verdict === "overloaded") {
      const retryAfterMs = Math.ceil(record.latency.percentiles()?.p50 ?? 1000);
      return this.fail(call, record, {
        ...overloaded(targetOf(call), record.inFlight, record.queue.size),
        retryAfterMs,
      });
    }
    this.#enqueue(call, record);
  }

  pump(record: ServerRecord): void {
    while (record.live !== undefined && record.inFlight < record.spec.limits.inFlight) {
      const call = takesTurn(record, record.queue.next?.start.behalf) ? record.queue.shift() : undefined;
      if (call === undefined) return;
      this.#shared.keepAlive.release();
      const failure = outlived(call, record, this.#shared);
      if (failure === undefined) this.#send(call, record, elapsedOf(this.#shared.clock));
      else this.fail(call, record, failure);
    }
  }

  failWaiting(record: ServerRecord, cause: Cause): void {
    const failure = unavailable(record, cause);
    for (const call of record.queue.items()) this.fail(call, record, failure);
  }

  onRest(record: ServerRecord): void {
    const asked = record.cause.kind === "requested";
    const failure = unavailable(record, asked ? record.cause : (record.lastError ?? record.cause));
    for (const call of record.queue.items()) {
      if (asked || call.waitsFor <= record.generation) this.fail(call, record, failure);
    }
    if (record.queue.size > 0) this.#shared.bus.order({ type: "server.wake", id: record.id });
  }

  failHopeless(record: ServerRecord): void {
    for (const call of record.queue.items()) {
      const failure = whyNoWait(record, this.#shared, call);
      if (failure !== undefined) this.fail(call, record, failure);
    }
  }

  fail(call: Call, record: ServerRecord, failure: Failure): void {
    this.#settlement.fail(call, record, failure);
  }

  complete(call: Call, record: ServerRecord, reply: Reply & { kind: "result" }): void {
    this.#settlement.complete(call, record, reply);
  }

  resend(call: Call, tool: RawTool = call.start.entry.tool): void {
    const { channel } = call;
    if (channel === undefined) return;
    setCallHeaders(call, tool, channel);
    const refused = channel.send(call);
    // Its first round has reached the server, whatever becomes of this one.
    if (refused !== undefined) this.replied(call, { kind: "lost", sent: "yes", cause: refused });
  }

  resumed(call: Call): void {
    if (call.state === "sent") this.#shared.deadlines.add(call);
  }

  replied(call: Call, reply: Reply): void {
    const record = call.owner;
    if (call.state !== "sent") return;
    switch (reply.kind) {
      case "result": {
        call.sent = "yes";
        call.life?.prove();
        if (
          (call.asTask || call.channel?.codec.modern === true) &&
          this.#followUp.takes(call, record, reply.result)
        )
          return;
        return this.complete(call, record, reply);
      }
      case "error": {
        call.sent = "yes";
        call.life?.prove();
        if (this.#followUp.mends(call, record, reply.error)) return;
        if (call.behalf !== undefined) call.raw = { error: reply.error };
        return this.fail(call, record, protocolError(reply.error, targetOf(call)));
      }
      case "lost":
      case "refused":
        return this.#broken(call, record, reply);
      case "timeout":
      case "cancelled":
        // A tool call carries its own deadline and signal; the channel never settles it so.
        return;
    }
  }

  expired(call: Call, total: boolean): void {
    const record = call.owner;
    const wasSent = call.state === "sent";
    if (wasSent) giveUp(call, "timeout");
    this.fail(call, record, silenceFailure(call, record, total, wasSent));
  }

  aborted(call: Call): void {
    const record = call.owner;
    if (call.state === "settled") return;
    const sent = call.state === "sent";
    if (sent) giveUp(call, "cancelled by the caller");
    if (call.approval !== undefined) this.#shared.approvals.decide(call.approval, "deny", "cancelled");
    this.fail(call, record, cancelled(targetOf(call), call.sent));
  }

  progressed(call: Call, note: ProgressNote): void {
    if (call.state !== "sent") return;
    // A sign of life, whatever it says; but a host that draws a bar sees it grow only.
    call.extend(elapsedOf(this.#shared.clock));
    if (note.progress < call.progressTold) return;
    call.progressTold = note.progress;
    this.#settlement.progress.tell(call, note);
    try {
      call.start.onProgress?.(note);
    } catch {
      // The host's own handler; its fault must not end the call.
    }
  }

  #send(call: Call, record: ServerRecord, now: number): void {
    const life = record.live;
    if (life?.channel === undefined || !call.step("send")) return;
    record.inFlight++;
    life.inFlight++;
    call.attempts++;
    call.life = life;
    call.channel = life.channel;
    call.sentAt = life.usedAt = now;
    call.sent = "unknown";
    this.#settlement.hold(call, life);
    fillEnvelope(call, life);
    const refused = life.channel.send(call);
    if (refused !== undefined) this.replied(call, { kind: "refused", cause: refused });
  }

  #enqueue(call: Call, record: ServerRecord): void {
    const now = record.live === undefined ? whyNoWait(record, this.#shared, call) : undefined;
    if (now !== undefined) return this.fail(call, record, now);
    if (call.state !== "queued" && !call.step("queue")) return;
    call.waitsFor = joinedGeneration(record);
    record.queue.push(call.start.caller, call);
    this.#shared.keepAlive.hold();
    if (record.live === undefined) this.#shared.bus.order({ type: "server.wake", id: record.id });
  }

  /** The connection or the exchange broke: run it again only when that is certain to be its first run, or allowed. */
  #broken(call: Call, record: ServerRecord, reply: Reply & { kind: "lost" | "refused" }): void {
    const { cause } = reply;
    const sent = reply.kind === "refused" ? "no" : reply.sent;
    const came = call.came(sent);
    if (isGone(cause)) call.life?.lost(cause);
    if (!goesAgain(call, record, cause, sent))
      return this.fail(call, record, lostCall(maskedCause(cause, record.mask), came, targetOf(call)));
    call.step("requeue");
    call.rounds = 0;
    this.#settlement.release(call, record);
    this.#enqueue(call, record);
    // Where only an exchange was lost, the connection takes it at once; a dead one waits for its successor.
    if (record.live?.channel?.open === true) this.pump(record);
  }
}
