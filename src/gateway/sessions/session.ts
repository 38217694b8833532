import type { Consumer } from "../consumers/consumer.js";
import { cancel, cancelAll, dispatch } from "../requests/dispatch.js";
import type { Running } from "../requests/dispatch.js";
import type { Core } from "../requests/core.js";
import type { AskConsumer } from "../contract/door.js";
import type { Outlet } from "../contract/outlet.js";
import type { LegacyPeer } from "../consumers/peer.js";
import {
  answerText,
  codes,
  failed,
  isId,
  isRecord,
  notificationText,
  requestText,
} from "../contract/protocol.js";
import type { Answer, Json, RequestId } from "../contract/protocol.js";
import { endAll } from "../requests/subscriptions.js";
import type { ToldList } from "../view/views.js";

export interface Agreed {
  readonly revision: string;
  readonly capabilities: Json;
  readonly client: string;
}

/** Updates that wait for a stream; more are one hint to look at everything. */
const mostWaiting = 1000;

/** One legacy conversation: what was agreed on, what is under way, and what waits for a stream to be told. */
export class LegacySession implements LegacyPeer {
  readonly modern = false;
  readonly consumer: Consumer;
  readonly only: string | undefined;
  readonly revision: string;
  readonly capabilities: Json;
  readonly client: string;
  readonly session: string;
  readonly subscriptions = new Map<string, () => void>();
  readonly running: Running = new Map();
  logLevel: string | undefined;
  /** Aborts at its end. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }
  readonly #gone = new AbortController();
  /** Epoch ms. */
  usedAt = Date.now();
  readonly #core: Core;
  readonly #questions = new Map<RequestId, (answer: Answer) => void>();
  readonly #unwatch: () => void;
  readonly #waiting = new Map<string, string>();
  #streams: ((text: string) => void)[] = [];
  #count = 0;
  readonly #ended: () => void;

  constructor(
    core: Core,
    consumer: Consumer,
    only: string | undefined,
    { revision, capabilities, client }: Agreed,
    session: string,
    ended: () => void = () => undefined,
  ) {
    this.#core = core;
    this.consumer = consumer;
    this.only = only;
    this.revision = revision;
    this.capabilities = capabilities;
    this.client = client;
    this.session = session;
    this.#ended = ended;
    this.#unwatch = core.views.watch(consumer, only, (lists) => this.#changed(lists));
  }

  get hasStream(): boolean {
    return this.#streams.length > 0;
  }

  setLogLevel(level: string): void {
    this.logLevel = level;
  }

  /** Takes one message; what belongs to it goes to the outlet. */
  take(message: Json, outlet: Outlet): void {
    this.usedAt = Date.now();
    const { id, method, params } = message;
    if (typeof method === "string") {
      if (id === undefined) return this.#notified(method, params);
      if (!isId(id))
        return outlet.answer(
          answerText(null, failed(codes.invalidRequest, "the id is neither text nor number")),
        );
      return dispatch(this.#core, this, { id, method, params }, this.running, outlet, this.#asker(outlet));
    }
    if (!isId(id)) return;
    const { result, error } = message;
    const resolve = this.#questions.get(id);
    this.#questions.delete(id);
    if (isRecord(error))
      resolve?.(
        failed(
          Number(error["code"]) || codes.internal,
          typeof error["message"] === "string" ? error["message"] : "",
          error["data"],
        ),
      );
    else resolve?.({ result: isRecord(result) ? result : {} });
  }

  /** A stream for what belongs to no request; what waited goes out first. Returns what takes it away. */
  attach(send: (text: string) => void): () => void {
    this.#streams.push(send);
    for (const text of this.#waiting.values()) send(text);
    this.#waiting.clear();
    return () => {
      this.#streams = this.#streams.filter((each) => each !== send);
      this.usedAt = Date.now();
    };
  }

  tell(method: string, params?: Json): void {
    const text = notificationText(method, params);
    // Each message goes out on one stream only.
    const send = this.#streams[this.#streams.length - 1];
    if (send !== undefined) return send(text);
    if (this.#waiting.size < mostWaiting) this.#waiting.set(text, text);
  }

  /** Its views may have changed while it was unknown here (a restart of the service). */
  restored(): void {
    this.#changed(new Set(["tools", "resources", "prompts"]));
  }

  end(): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort();
    this.#unwatch();
    endAll(this.subscriptions);
    cancelAll(this.running);
    for (const resolve of this.#questions.values()) resolve(failed(codes.internal, "the consumer is gone"));
    this.#questions.clear();
    this.#ended();
  }

  #asker(outlet: Outlet): AskConsumer {
    return (method, params, signal) => {
      const id = `mcpvisor-${++this.#count}`;
      return new Promise((resolve) => {
        const settle = (answer: Answer): void => {
          signal.removeEventListener("abort", give);
          resolve(answer);
        };
        const give = (): void => {
          if (!this.#questions.delete(id)) return;
          outlet.send(notificationText("notifications/cancelled", { requestId: id }));
          settle(failed(codes.internal, "nobody waits for the answer any more"));
        };
        this.#questions.set(id, settle);
        signal.addEventListener("abort", give);
        outlet.send(requestText(id, method, params));
      });
    };
  }

  #notified(method: string, params: unknown): void {
    if (method === "notifications/cancelled") cancel(this.running, params);
  }

  #changed(lists: ReadonlySet<ToldList>): void {
    for (const list of lists) this.tell(`notifications/${list}/list_changed`);
  }
}
