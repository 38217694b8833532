import type { Codec } from "../protocol/codec.js";
import { nameHeader } from "../protocol/requestHeaders.js";
import type { Channel } from "./channel.js";
import type { Dated, Deadlines } from "./deadlines.js";
import type { Behalf } from "../protocol/behalf.js";
import type { PendingRequest, ProgressNote, Reply } from "./pending.js";
import { unwatchAbort, watchAbort } from "./aborts.js";
import type { Abortable } from "./aborts.js";

export interface RequestOptions {
  readonly dueAt: number;
  readonly deadlines: Deadlines;
  readonly signal?: AbortSignal;
  /** False for initialize, which must never be cancelled on the wire. */
  readonly cancellable?: boolean;
  /** On whose behalf; undefined: the host's own. */
  readonly behalf?: Behalf;
  readonly onProgress?: (note: ProgressNote) => void;
  /** The revision to ask in, when it is not (yet) that of the channel. */
  readonly codec?: Codec;
}

/** One request outside the hot path (handshake, lists, pings), as a promise of its reply; never rejects. */
export function request(
  channel: Channel,
  method: string,
  params: object | undefined,
  options: RequestOptions,
): Promise<Reply> {
  return new Promise((resolve) => {
    const record = new OneRequest(channel, method, params, options, resolve);
    if (options.signal?.aborted) return record.settle({ kind: "cancelled", reason: options.signal.reason });
    options.deadlines.add(record);
    if (options.signal !== undefined) watchAbort(options.signal, record);
    const refused = channel.send(record);
    if (refused !== undefined) record.settle({ kind: "refused", cause: refused });
  });
}

class OneRequest implements PendingRequest, Dated, Abortable {
  id = 0;
  position = 0;
  resends = 0;
  readonly method: string;
  readonly wantsProgress: boolean;
  readonly behalf: Behalf | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  dueAt: number;
  readonly #channel: Channel;
  readonly #codec: Codec | undefined;
  readonly #params: object | undefined;
  readonly #options: RequestOptions;
  readonly #resolve: (reply: Reply) => void;

  constructor(
    channel: Channel,
    method: string,
    params: object | undefined,
    options: RequestOptions,
    resolve: (reply: Reply) => void,
  ) {
    this.#channel = channel;
    this.method = method;
    this.#params = params;
    this.#options = options;
    this.#resolve = resolve;
    this.dueAt = options.dueAt;
    this.#codec = options.codec;
    this.behalf = options.behalf;
    this.wantsProgress = options.onProgress !== undefined;
    const headers = channel.codec.modern ? nameHeader(method, params) : undefined;
    if (headers !== undefined) this.headers = headers;
  }

  encode(id: number): string {
    return (this.#codec ?? this.#channel.codec).request(id, this.method, this.#params, this.wantsProgress);
  }

  progress(note: ProgressNote): void {
    this.#options.onProgress?.(note);
  }

  settle(reply: Reply): void {
    this.#options.deadlines.remove(this);
    if (this.#options.signal !== undefined) unwatchAbort(this.#options.signal, this);
    this.#resolve(reply);
  }

  expire(): void {
    this.#channel.giveUp(this, "timeout", this.#options.cancellable !== false);
    this.settle({ kind: "timeout", total: false });
  }

  abort(reason: unknown): void {
    this.#channel.giveUp(this, "cancelled", this.#options.cancellable !== false);
    this.settle({ kind: "cancelled", reason });
  }
}
