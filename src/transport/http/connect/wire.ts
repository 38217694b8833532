import type { Dispatcher } from "undici";
import type { Dial } from "./dial.js";
import type { Authorization } from "../../authorization.js";

/** The connections to one server: a pool that opens a further connection whenever all of its own are busy. */
export class Wire {
  readonly origin: string;
  /** What no message may hold. */
  readonly secrets: readonly string[];
  /** A token of ours went out: the server works for somebody who is logged in. */
  hasSentToken = false;
  readonly #dial: Dial;
  /** Where tokens come from; absent where the entry has its own, or wants none. */
  readonly authorization: Authorization | undefined;
  /** Pools that were replaced and still carry exchanges. */
  readonly #old = new Set<Dispatcher>();
  #pool: Dispatcher;

  constructor(dial: Dial, authorization?: Authorization) {
    this.authorization = authorization;
    this.origin = dial.origin;
    this.secrets = dial.secrets;
    this.#dial = dial;
    this.#pool = dial.connect();
  }

  /** Where failures of the connection come from, in words; empty when it is made directly. */
  get way(): string {
    const { proxy } = this.#dial;
    return proxy === undefined ? "" : ` through the proxy of ${proxy.from}`;
  }

  /** Hands a request out and names the pool it went through, for `renew`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Dispatcher {
    const pool = this.#pool;
    pool.dispatch(options, handler);
    return pool;
  }

  /** New requests get new connections; what runs on the old ones ends there. Does nothing when that already happened. */
  renew(used: Dispatcher): void {
    if (used !== this.#pool) return;
    this.#old.add(used);
    this.#pool = this.#dial.connect();
    void used.close().then(
      () => this.#old.delete(used),
      // close() fails only on a pool that is destroyed, and then nothing is left of it.
      () => this.#old.delete(used),
    );
  }

  /** Ends all connections at once; what runs on them fails. */
  async destroy(): Promise<void> {
    const pools = [this.#pool, ...this.#old];
    this.#old.clear();
    await Promise.allSettled(pools.map((pool) => pool.destroy()));
  }
}
