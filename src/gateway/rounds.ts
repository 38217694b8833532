import { createHash } from "node:crypto";
import type { AskConsumer } from "./door.js";
import { answers } from "./capabilities.js";
import type { Exchange, Peer } from "./peer.js";
import { codes, failed, isRecord } from "./protocol.js";
import type { Answer, Json } from "./protocol.js";
import type { Seal } from "./seal.js";

const mostRounds = 10;
const longestMs = 600_000;

interface Question {
  readonly method: string;
  readonly params: unknown;
  readonly resolve: (answer: Answer) => void;
  /** The consumer was shown it. */
  shown: boolean;
}

/** What a request of a modern consumer gives to whoever runs it. */
export interface Run {
  readonly signal: AbortSignal;
  readonly ask: AskConsumer;
  readonly notify: Exchange["notify"];
  readonly retry: { readonly inputResponses?: unknown; readonly requestState?: string } | undefined;
}

/**
 * A request of a modern consumer that its server may interrupt with questions. A legacy server asks while its call is
 * open: the consumer gets `input_required` with a sealed handle, the call stays open here, and the retry takes it up.
 */
class ParkedCall {
  readonly controller = new AbortController();
  readonly digest: string;
  readonly peer: Peer;
  round = 0;
  readonly questions = new Map<string, Question>();
  #exchange: Exchange | undefined;
  #wake: (() => void) | undefined;
  #outcome: Answer | undefined;
  #count = 0;
  readonly #leave = (): void => this.controller.abort();

  constructor(peer: Peer, digest: string) {
    this.peer = peer;
    this.digest = digest;
  }

  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  finished(outcome: Answer): void {
    this.#outcome = outcome;
    this.#wake?.();
  }

  readonly notify: Exchange["notify"] = (method, params) => this.#exchange?.notify(method, params);

  readonly ask: AskConsumer = (method, params, signal) => {
    if (!answers(this.peer.capabilities, method, params)) return undefined;
    const key = `q${++this.#count}`;
    return new Promise((resolve) => {
      this.questions.set(key, { method, params, resolve, shown: false });
      signal.addEventListener("abort", () => {
        if (this.questions.delete(key)) resolve(failed(codes.internal, "nobody waits for the answer any more"));
      });
      this.#wake?.();
    });
  };

  /** Resolves with the outcome, or undefined when questions are to be asked first. */
  async attend(exchange: Exchange): Promise<Answer | undefined> {
    this.#exchange = exchange;
    exchange.signal.addEventListener("abort", this.#leave);
    while (this.#outcome === undefined && ![...this.questions.values()].some((each) => !each.shown)) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      // Questions that a server asks in one breath are put together.
      if (this.#outcome === undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#exchange = undefined;
    exchange.signal.removeEventListener("abort", this.#leave);
    return this.#outcome;
  }

  /** The answers of a retry; questions that it does not answer are asked again. */
  answer(responses: unknown): void {
    const given = isRecord(responses) ? responses : {};
    for (const [key, question] of this.questions) {
      const response = given[key];
      question.shown = false;
      if (!isRecord(response)) continue;
      this.questions.delete(key);
      question.resolve({ result: response });
    }
  }

  inputRequests(): Json {
    const requests: Record<string, unknown> = {};
    for (const [key, question] of this.questions) {
      question.shown = true;
      requests[key] = { method: question.method, params: question.params };
    }
    return requests;
  }
}

/** The states of rounds of one gateway: sealed in the hands of consumers, parked here. */
export class Rounds {
  readonly #seal: Seal;
  readonly #now: () => number;
  readonly #parked = new Map<string, ParkedCall>();
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
      if (state === undefined || state["d"] !== digest || !(Number(state["x"]) > this.#now())) return invalidState;
      if (typeof state["p"] === "string") return this.#resume(peer, state["p"], Number(state["n"]), inputResponses, exchange);
      round = Number(state["n"]);
      retry = typeof state["s"] === "string" ? { inputResponses, requestState: state["s"] } : { inputResponses };
    } else if (inputResponses !== undefined) retry = { inputResponses };
    const call = new ParkedCall(peer, digest);
    call.round = round;
    const outcome = run({ signal: call.controller.signal, ask: call.ask, notify: call.notify, retry });
    void outcome.then(
      (answer) => call.finished(answer),
      () => call.finished(failed(codes.internal, "the gateway failed at this request")),
    );
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

  async #resume(
    peer: Peer,
    handle: string,
    round: number,
    responses: unknown,
    exchange: Exchange,
  ): Promise<Answer> {
    const call = this.#parked.get(handle);
    // Each state is good once: the one of an earlier round is as unknown as a forged one.
    if (call === undefined || call.peer.consumer !== peer.consumer || call.round !== round) return invalidState;
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
      return failed(codes.limit, "too many calls wait for an answer, or this one asked too often; it was cancelled");
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
      return failed(codes.internal, `the server asked for input more than ${mostRounds} times without an end`);
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

/** What must be the same in a retry: the method and the params without what belongs to a round or to one sending. */
function digestOf(method: string, params: Json): string {
  const { _meta, requestState, inputResponses, ...rest } = params;
  void [_meta, requestState, inputResponses];
  return createHash("sha256").update(`${method}\n${canonical(rest)}`).digest("base64url");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
