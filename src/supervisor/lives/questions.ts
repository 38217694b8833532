import { elapsedOf } from "../../clock.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import { ownerOf } from "../../protocol/behalfOwner.js";
import type { Channel } from "../../rpc/channel.js";
import type { PendingRequest } from "../../rpc/pending.js";
import type { SharedState } from "../state/sharedState.js";
import type { Answer } from "../state/inputs.js";
import type { ServerRecord } from "../state/serverRecord.js";

/**
 * The requests of one legacy server to us while they are open. Nobody can tell which call a request belongs to, so the
 * clocks of all calls in flight there stand still until it is answered.
 */
export class Questions {
  readonly #record: ServerRecord;
  readonly #shared: SharedState;
  readonly #open = new Map<RequestId, AbortController>();

  constructor(record: ServerRecord, shared: SharedState) {
    this.#record = record;
    this.#shared = shared;
  }

  /** The answer, or undefined when such requests are refused here. */
  ask(
    method: string,
    params: unknown,
    id: RequestId,
    channel: Channel | undefined,
    about?: PendingRequest,
  ): Promise<Answer> | undefined {
    const controller = new AbortController();
    const open = [...(channel?.requests() ?? [])];
    const owner = ownerOf(about, open);
    if (owner === "nobody knows") return this.#refuse(method);
    const answer =
      owner === undefined
        ? this.#shared.inputs.ask(this.#record.id, method, params, controller.signal)
        : owner.ask?.(method, params, controller.signal);
    if (answer === undefined) return undefined;
    this.#open.set(id, controller);
    const paused = about === undefined ? open : [about];
    for (const each of paused) each.pause?.(elapsedOf(this.#shared.clock));
    return answer.finally(() => {
      this.#open.delete(id);
      for (const each of paused) each.resume?.(elapsedOf(this.#shared.clock));
    });
  }

  /** A question that cannot be told whose it is goes to nobody: neither guessed nor put to all. */
  #refuse(method: string): undefined {
    const { id, spec } = this.#record;
    const isFirst = spec.sharing === "auto" && !this.#record.inTurns;
    // From now on the next question finds its owner.
    if (isFirst) this.#record.inTurns = true;
    const then = isFirst ? "; from now on they use this server in turns" : "";
    const message = `${method.slice(0, 60)} was refused: it does not tell which of several consumers' calls it belongs to${then}`;
    this.#shared.bus.publish({ type: "mcp.log", id, level: "warning", message });
    return undefined;
  }

  /** The server no longer wants to know. */
  cancelled(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#open.get(id)?.abort();
  }

  /** The connection is gone. */
  end(): void {
    for (const controller of this.#open.values()) controller.abort();
    this.#open.clear();
  }
}
