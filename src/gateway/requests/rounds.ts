import type { AskConsumer } from "../contract/door.js";
import { digestOf } from "./digest.js";
import { ParkedCall } from "./parkedCall.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";
import type { Seal } from "../consumers/seal.js";

const mostRounds = 10;
const longestMs = 600_000;

/** What a request of a modern consumer gives to whoever runs it. */
export interface Run {
  readonly signal: AbortSignal;
  readonly ask: AskConsumer;
  readonly notify: Exchange["notify"];
  readonly retry: { readonly inputResponses?: unknown; readonly requestState?: string } | undefined;
}

/** The states of rounds of one gateway: sealed in the hands of consumers, parked here. */
export class Rounds {
  readonly #seal: Seal;
  readonly #now: () => number;
  readonly #parked = new Map<string, ParkedCall>();
  readonly #running = new Set<ParkedCall>();
  #count = 0;

  constructor(seal: Seal, now: () => number) {
    this.#seal = seal;
    this.#now = now;
  }

  get parked(): number {
    return this.#parked.size;
  }

  /** Runs a request of a modern consumer, or takes up the one that its `requestState` means. */
  async serve(
    peer: Peer,
    server: string,
    method: string,
    params: Json,
    exchange: Exchange,
    run: (run: Run) => Promise<Answer>,
  ): Promise<Answer> {
    const { requestState, inputResponses } = params;
    const digest = digestOf(method, params);
    let retry: Run["retry"];
    let round = 0;
    if (requestState !== undefined) {
      const state = typeof requestState === "string" ? this.#open(peer, requestState) : undefined;
      if (state === undefined || state["d"] !== digest || !(Number(state["x"]) > this.#now()))
        return invalidState;
      if (typeof state["p"] === "string")
        return this.#resume(peer, state["p"], Number(state["n"]), inputResponses, exchange);
      round = Number(state["n"]);
      retry =
        typeof state["s"] === "string" ? { inputResponses, requestState: state["s"] } : { inputResponses };
    } else if (inputResponses !== undefined) retry = { inputResponses };
    const call = new ParkedCall(peer, server, digest);
    call.round = round;
    this.#running.add(call);
    const outcome = run({
      signal: call.controller.signal,
      ask: (...question) => this.#heard(call).ask(...question),
      notify: call.notify,
      retry,
    });
    const finish = (answer: Answer): void => {
      this.#running.delete(call);
      call.finished(answer);
    };
    void outcome.then(finish, () => finish(failed(codes.internal, "the gateway failed at this request")));
    return this.#attend(call, undefined, exchange);
  }

  /** Ends all parked calls of a consumer that is gone. */
  end(consumer: unknown): void {
    for (const [handle, call] of this.#parked) {
      if (call.peer.consumer !== consumer) continue;
      this.#release(handle, call);
      call.controller.abort();
    }
  }

  /**
   * Over one pipe a question names no call, so it may come to one that its consumer does not wait for now: another call of
   * the same consumer to the same server, which it does wait for, is asked in its place.
   */
  #heard(call: ParkedCall): ParkedCall {
    if (call.isAttended) return call;
    const { server, peer } = call;
    const others = [...this.#running].filter(
      (each) => each.isAttended && each.server === server && each.peer.consumer === peer.consumer,
    );
    return others[others.length - 1] ?? call;
  }

  async #resume(
    peer: Peer,
    handle: string,
    round: number,
    responses: unknown,
    exchange: Exchange,
  ): Promise<Answer> {
    const call = this.#parked.get(handle);
    // Each state is good once: the one of an earlier round is as unknown as a forged one.
    if (call === undefined || call.peer.consumer !== peer.consumer || call.round !== round)
      return invalidState;
    call.round++;
    call.answer(responses);
    return this.#attend(call, handle, exchange);
  }

  async #attend(call: ParkedCall, known: string | undefined, exchange: Exchange): Promise<Answer> {
    const { consumer } = call.peer;
    const outcome = await call.attend(exchange);
    if (outcome !== undefined) {
      if (known !== undefined) this.#release(known, call);
      return this.#sealed(call, outcome);
    }
    if (call.round >= mostRounds || (known === undefined && !consumer.meter.take("parked"))) {
      if (known !== undefined) this.#release(known, call);
      call.controller.abort();
      return failed(
        codes.limit,
        "too many calls wait for an answer, or this one asked too often; it was cancelled",
      );
    }
    const handle = known ?? `p${++this.#count}`;
    if (known === undefined) this.#park(handle, call);
    const state = { p: handle, n: call.round, d: call.digest, x: this.#now() + longestMs };
    return {
      result: {
        resultType: "input_required",
        inputRequests: call.inputRequests(),
        requestState: this.#close(call.peer, state),
      },
    };
  }

  #park(handle: string, call: ParkedCall): void {
    this.#parked.set(handle, call);
    const timer = setTimeout(() => {
      if (this.#parked.get(handle) !== call) return;
      this.#release(handle, call);
      call.controller.abort();
    }, longestMs);
    timer.unref();
    call.controller.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      this.#release(handle, call);
    });
  }

  #release(handle: string, call: ParkedCall): void {
    if (this.#parked.delete(handle)) call.peer.consumer.meter.give("parked");
  }

  /** An `input_required` of a modern server: its state is carried in one of ours. */
  #sealed(call: ParkedCall, outcome: Answer): Answer {
    if (!("result" in outcome) || outcome.result["resultType"] !== "input_required") return outcome;
    if (call.round >= mostRounds)
      return failed(
        codes.internal,
        `the server asked for input more than ${mostRounds} times without an end`,
      );
    const { requestState } = outcome.result;
    const state = {
      ...(typeof requestState === "string" ? { s: requestState } : {}),
      n: call.round + 1,
      d: call.digest,
      x: this.#now() + longestMs,
    };
    return { result: { ...outcome.result, requestState: this.#close(call.peer, state) } };
  }

  #close({ consumer }: Peer, state: object): string {
    return this.#seal.close(purposeOf(consumer), state);
  }

  #open({ consumer }: Peer, text: string): Json | undefined {
    const state = this.#seal.open(purposeOf(consumer), text);
    return isRecord(state) ? state : undefined;
  }
}

const invalidState = failed(codes.invalidParams, "the requestState is unknown, used or too old", {
  reason: "invalid_request_state",
});

function purposeOf({ name, epoch }: Peer["consumer"]): string {
  return `round:${name}:${epoch}`;
}
