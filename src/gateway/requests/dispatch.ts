import type { Core } from "./core.js";
import type { AskConsumer } from "../contract/door.js";
import { listen } from "./listen.js";
import type { Outlet } from "../contract/outlet.js";
import type { Peer } from "../consumers/peer.js";
import {
  answerText,
  codes,
  failed,
  isRecord,
  loopOf,
  meta,
  metaOf,
  notificationText,
} from "../contract/protocol.js";
import type { Answer, Json, RequestId } from "../contract/protocol.js";

/** The requests of one peer that are under way, by their ids as sent: 1 and "1" are two. */
export type Running = Map<RequestId, AbortController>;

export interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

/** Serves one request to its one answer, within the limits of its consumer. */
export function dispatch(
  core: Core,
  peer: Peer,
  asked: Asked,
  running: Running,
  outlet: Outlet,
  ask?: AskConsumer,
): void {
  const { id, method } = asked;
  const params = asked.params ?? {};
  const say = (answer: Answer): void =>
    outlet.answer(answerText(id, answer), "error" in answer ? answer.error : undefined);
  if (!isRecord(params)) return say(failed(codes.invalidParams, "params must be an object"));
  if (running.has(id)) return say(failed(codes.invalidRequest, "a request with this id is under way"));
  const loop = loopOf(metaOf(params)[meta.client], params, core.fleet.title);
  if (loop !== undefined) return say({ error: loop });
  const { meter } = peer.consumer;
  const isListening = peer.modern && method === "subscriptions/listen";
  const refusal = isListening ? undefined : meter.begin(Date.now());
  if (refusal !== undefined) {
    const { what, retryAfterMs } = refusal;
    return say(
      failed(codes.limit, `the limit of this consumer is reached (${what})`, { what, retryAfterMs }),
    );
  }
  const controller = new AbortController();
  running.set(id, controller);
  const settle = (answer: Answer): void => {
    if (!isListening) meter.end();
    if (running.get(id) === controller) running.delete(id);
    if (controller.signal.aborted) outlet.drop();
    else say(answer);
  };
  const exchange = {
    id,
    signal: controller.signal,
    notify(name: string, about: Json): void {
      if (!controller.signal.aborted && running.get(id) === controller)
        outlet.send(notificationText(name, about));
    },
    ...(ask === undefined ? {} : { ask }),
  };
  let answer: Promise<Answer> | Answer | undefined;
  try {
    answer = isListening ? listen(core, peer, params, exchange) : core.serve(peer, method, params, exchange);
  } catch {
    answer = failed(codes.internal, "the gateway failed at this request");
  }
  answer ??= failed(codes.unknownMethod, `Method not found: ${method.slice(0, 200)}`);
  if (!(answer instanceof Promise)) return settle(answer);
  answer.then(settle, () => settle(failed(codes.internal, "the gateway failed at this request")));
}

/** A consumer that cancels a request that is none of its own, or is over, does nothing. */
export function cancel(running: Running, params: unknown): void {
  const id = isRecord(params) ? params["requestId"] : undefined;
  if (typeof id !== "string" && typeof id !== "number") return;
  running.get(id)?.abort();
}

export function cancelAll(running: Running): void {
  for (const controller of running.values()) controller.abort();
}
