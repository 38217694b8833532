import type { Life } from "../../actors/life.js";
import { isRecord } from "../../protocol/serverInfo.js";
import { ask, failure } from "./asking.js";
import type { Asked } from "./asking.js";
import type { SharedState } from "../state/sharedState.js";
import type { ServerRecord } from "../state/serverRecord.js";

type Listener = (uri: string) => void;

/** Who wants to hear of changes of which resource; told to each new life of the server again. */
export class ResourceWatch {
  readonly #record: ServerRecord;
  readonly #shared: SharedState;
  readonly #listeners = new Map<string, Set<Listener>>();
  #told: Life | undefined;
  readonly #onState = (): void => this.#tellAgain();

  constructor(record: ServerRecord, shared: SharedState) {
    this.#record = record;
    this.#shared = shared;
  }

  /** Resolves with what ends it. */
  async add(uri: string, listener: Listener, life: Life): Promise<Asked<() => void>> {
    const { session, channel } = life;
    const declared = session?.capabilities["resources"];
    if (!isRecord(declared) || (channel?.codec.modern !== true && declared["subscribe"] !== true)) {
      const message = "the server does not tell changes of single resources";
      return failure(this.#record, "resources/subscribe", {
        kind: "error",
        error: { code: -32_601, message },
      });
    }
    const known = this.#listeners.get(uri);
    const listeners = known ?? new Set();
    this.#listeners.set(uri, listeners.add(listener));
    if (known === undefined) {
      this.#told = life;
      this.#record.watchers.add(this.#onState);
      const told = await this.#tell(uri, true, life);
      if (!told.ok) {
        this.#remove(uri, listener);
        return told;
      }
    }
    return { ok: true, value: () => this.#remove(uri, listener) };
  }

  updated(uri: unknown): void {
    if (typeof uri !== "string") return;
    for (const listener of this.#listeners.get(uri) ?? []) {
      try {
        listener(uri);
      } catch {
        // The host's own listener; its fault must not stop the others.
      }
    }
  }

  #remove(uri: string, listener: Listener): void {
    const listeners = this.#listeners.get(uri);
    if (listeners?.delete(listener) !== true || listeners.size > 0) return;
    this.#listeners.delete(uri);
    if (this.#listeners.size === 0) this.#record.watchers.delete(this.#onState);
    if (this.#record.live !== undefined) void this.#tell(uri, false, this.#record.live);
  }

  /** A new life knows nothing of what was watched; changes in the gap are unknown, so everyone is told to look. */
  #tellAgain(): void {
    const { live } = this.#record;
    if (live === undefined || live === this.#told) return;
    this.#told = live;
    for (const uri of this.#listeners.keys()) {
      void this.#tell(uri, true, live);
      this.updated(uri);
    }
  }

  async #tell(uri: string, on: boolean, life: Life): Promise<Asked<unknown>> {
    if (life.channel?.codec.modern === true) {
      life.changes?.watch(uri, on);
      return { ok: true, value: undefined };
    }
    return ask(this.#record, life, this.#shared, on ? "resources/subscribe" : "resources/unsubscribe", {
      uri,
    });
  }
}
