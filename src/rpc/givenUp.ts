/** So many abandoned requests are remembered; the answers to older ones count as unknown. */
const most = 256;

/** Ids of requests that nobody waits for any more: an answer to one of them is late, and no fault of the server. */
export class GivenUp {
  readonly #ids = new Set<number>();

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= most) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  /** Whether this answer was to be expected; the id is forgotten then. */
  take(id: unknown): boolean {
    return this.#ids.delete(Number(id));
  }
}
