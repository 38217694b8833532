import type { Dispatcher, Pool } from "undici";

export interface WireOptions {
  readonly origin: string;
  readonly connectTimeoutMs: number;
}

/** The connections to one server: a pool that opens a further connection whenever all of its own are busy. */
export class Wire {
  readonly origin: string;
  readonly #create: () => Pool;
  /** Pools that were replaced and still carry exchanges. */
  readonly #old = new Set<Pool>();
  #pool: Pool;

  constructor(undici: typeof import("undici"), options: WireOptions) {
    this.origin = options.origin;
    this.#create = () =>
      new undici.Pool(options.origin, {
        // Streams may be silent for ever and a tool may take its time: the deadlines are those of the calls.
        headersTimeout: 0,
        bodyTimeout: 0,
        // TCP probes after 30 s find a peer that vanished without a word.
        connect: { timeout: options.connectTimeoutMs, keepAliveInitialDelay: 30_000 },
      });
    this.#pool = this.#create();
  }

  /** Hands a request out and names the pool it went through, for `renew`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Pool {
    const pool = this.#pool;
    pool.dispatch(options, handler);
    return pool;
  }

  /** New requests get new connections; what runs on the old ones ends there. Does nothing when that already happened. */
  renew(used: Pool): void {
    if (used !== this.#pool) return;
    this.#old.add(used);
    this.#pool = this.#create();
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
