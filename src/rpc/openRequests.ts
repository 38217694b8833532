import type { PendingRequest } from "./pending.js";

/**
 * The open requests of a channel by id. A Map from id to request would do, but for its waste: each time a Map grows
 * into a new table, the old one still holds its entries, and once one such table is in the old generation it takes all
 * that follow with it, every settled request among them. Here the Map holds numbers only.
 */
export class OpenRequests {
  readonly #places = new Map<number, number>();
  readonly #requests: (PendingRequest | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  get(id: number): PendingRequest | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#requests[place];
  }

  set(id: number, request: PendingRequest): void {
    const place = this.#free.pop() ?? this.#requests.length;
    this.#requests[place] = request;
    this.#places.set(id, place);
  }

  delete(id: number): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#places.delete(id);
    this.#requests[place] = undefined;
    this.#free.push(place);
    return true;
  }

  /** In the order they were set. */
  values(): PendingRequest[] {
    return [...this.#places.values()].flatMap((place) => this.#requests[place] ?? []);
  }

  clear(): void {
    this.#places.clear();
    this.#requests.length = 0;
    this.#free.length = 0;
  }
}
