import { answers } from "../view/capabilities.js";
import type { AskConsumer } from "../contract/door.js";
import type { Exchange, Peer } from "../consumers/peer.js";
import { codes, failed, isRecord } from "../contract/protocol.js";
import type { Answer, Json } from "../contract/protocol.js";

interface Question {
  readonly method: string;
  readonly params: unknown;
  readonly resolve: (answer: Answer) => void;
  /** The consumer was shown it. */
  shown: boolean;
}

/**
 * A request of a modern consumer that its server may interrupt with questions. A legacy server asks while its call is
 * open: the consumer gets `input_required` with a sealed handle, the call stays open here, and the retry takes it up.
 */
export class ParkedCall {
  readonly controller = new AbortController();
  readonly digest: string;
  readonly peer: Peer;
  readonly server: string;
  round = 0;
  readonly questions = new Map<string, Question>();
  #exchange: Exchange | undefined;
  #wake: (() => void) | undefined;
  #outcome: Answer | undefined;
  #count = 0;
  readonly #leave = (): void => this.controller.abort();

  constructor(peer: Peer, server: string, digest: string) {
    this.peer = peer;
    this.server = server;
    this.digest = digest;
  }

  /** The consumer waits for it now, and can be asked. */
  get isAttended(): boolean {
    return this.#exchange !== undefined;
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
        if (this.questions.delete(key))
          resolve(failed(codes.internal, "nobody waits for the answer any more"));
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
