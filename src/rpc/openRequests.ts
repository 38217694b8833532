import type { PendingRequest } from "./pending.js";

/** Enough for most servers; twice as many places as requests are kept from then on. */
const fewest = 16;
const nobody = 0;

/**
 * The open requests of a channel by id. Ids count up from 1, so that the low bits of an id are its place in a table; the
 * few whose place is taken by one that stays open for long go into a Map. A Map for all of them would do, but for its
 * waste: each time a Map grows, the old table still holds its entries, and once one such table is in the old
 * generation it takes all that follow with it, every settled request among them.
 */
export class OpenRequests {
  #ids: number[] = Array.from({ length: fewest }, () => nobody);
  #requests: (PendingRequest | undefined)[] = Array.from({ length: fewest }, () => undefined);
  readonly #crowded = new Map<number, PendingRequest>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): PendingRequest | undefined {
    const place = id & (this.#ids.length - 1);
    if (this.#ids[place] === id) return this.#requests[place];
    return this.#crowded.size === 0 ? undefined : this.#crowded.get(id);
  }

  /** The open request under an id of any kind; ours are numbers. */
  of(id: unknown): PendingRequest | undefined {
    return typeof id === "number" ? this.get(id) : undefined;
  }

  set(id: number, request: PendingRequest): void {
    if (++this.#size * 2 > this.#ids.length) this.#grow();
    this.#put(id, request);
  }

  /** The request under this id, which is open no more. */
  take(id: number): PendingRequest | undefined {
    const request = this.get(id);
    if (request === undefined) return undefined;
    this.#size--;
    const place = id & (this.#ids.length - 1);
    if (this.#ids[place] !== id) this.#crowded.delete(id);
    else {
      this.#ids[place] = nobody;
      this.#requests[place] = undefined;
    }
    return request;
  }

  /** In the order they were set. */
  values(): PendingRequest[] {
    return this.#entries()
      .toSorted(([a], [b]) => a - b)
      .map(([, request]) => request);
  }

  clear(): void {
    this.#ids.fill(nobody);
    this.#requests.fill(undefined);
    this.#crowded.clear();
    this.#size = 0;
  }

  #put(id: number, request: PendingRequest): void {
    const place = id & (this.#ids.length - 1);
    if (this.#ids[place] !== nobody) {
      this.#crowded.set(id, request);
      return;
    }
    this.#ids[place] = id;
    this.#requests[place] = request;
  }

  #grow(): void {
    const entries = this.#entries();
    const places = this.#ids.length * 2;
    this.#ids = Array.from({ length: places }, () => nobody);
    this.#requests = Array.from({ length: places }, () => undefined);
    this.#crowded.clear();
    for (const [id, request] of entries) this.#put(id, request);
  }

  #entries(): [number, PendingRequest][] {
    const inPlace = this.#ids.flatMap((id, place): [number, PendingRequest][] => {
      const request = this.#requests[place];
      return request === undefined ? [] : [[id, request]];
    });
    return [...inPlace, ...this.#crowded];
  }
}
