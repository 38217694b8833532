import type { Consumer } from "../consumers/consumer.js";
import type { Core } from "../requests/core.js";
import { cancelAll, dispatch } from "../requests/dispatch.js";
import type { Running } from "../requests/dispatch.js";
import { hostOf } from "../consumers/peer.js";
import type { Peer } from "../consumers/peer.js";
import { isId, isRecord, meta, metaOf, modernRevision } from "../contract/protocol.js";
import type { Json } from "../contract/protocol.js";
import type { Beat } from "./beat.js";
import { judgeModern } from "./modernHead.js";
import { accepted, refuse } from "./refuse.js";
import { Reply } from "./reply.js";
import type { Visit } from "./visit.js";

/** Requests of 2026-07-28: each describes itself, and the end of its stream cancels it. */
export class ModernHttp {
  readonly #core: Core;
  readonly #beat: Beat;
  readonly #ends = new Map<Consumer, Set<() => void>>();

  constructor(core: Core, beat: Beat) {
    this.#core = core;
    this.#beat = beat;
  }

  serve(message: Json, { incoming, response, consumer, only }: Visit): void {
    const { id, params } = message;
    // The core has no notifications of a client over HTTP; what comes is taken and has no effect.
    if (!isId(id)) return accepted(response);
    const { tools } = this.#core.views.of(consumer, only);
    const error = judgeModern(incoming.headers, message, (name) => {
      const schema = tools.get(name)?.definition["inputSchema"];
      return isRecord(schema) ? schema : undefined;
    });
    if (error !== undefined) return refuse(response, 400, error, id);
    const reply = new Reply(response, { modern: true, expected: 1, beat: this.#beat });
    const method = String(message["method"]);
    if (method === "subscriptions/listen") reply.open();
    const running: Running = new Map();
    const end = (): void => cancelAll(running);
    this.#ends.set(consumer, (this.#ends.get(consumer) ?? new Set()).add(end));
    response.on("close", () => {
      this.#forget(consumer, end);
      end();
    });
    dispatch(this.#core, peerOf(consumer, only, params), { id, method, params }, running, reply);
  }

  /** Cancels everything of a consumer. */
  endOf(consumer: Consumer): void {
    for (const end of this.#ends.get(consumer) ?? []) end();
  }

  #forget(consumer: Consumer, end: () => void): void {
    const ends = this.#ends.get(consumer);
    ends?.delete(end);
    if (ends?.size === 0) this.#ends.delete(consumer);
  }
}

/** Who a modern request says that it is from. */
export function peerOf(consumer: Consumer, only: string | undefined, params: unknown): Peer {
  const given = metaOf(params);
  const capabilities = given[meta.capabilities];
  const logLevel = given[meta.logLevel];
  return {
    consumer,
    only,
    modern: true,
    revision: modernRevision,
    capabilities: isRecord(capabilities) ? capabilities : {},
    client: hostOf(given[meta.client]),
    session: "",
    logLevel: typeof logLevel === "string" ? logLevel : undefined,
  };
}
