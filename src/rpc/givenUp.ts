/** So many abandoned requests are remembered; the answers to older ones count as unknown. */
const most = 256;

/** Ids of requests that nobody waits for any more: an answer to one of them is late, and no fault of the server. */
export class GivenUp {
  /** Made for the first one: most conversations have none. */
  #ids: Set<number> | undefined;

  add(id: number): void {
    const ids = (this.#ids ??= new Set());
    ids.add(id);
    if (ids.size <= most) return;
    for (const oldest of ids) {
      ids.delete(oldest);
      return;
    }
  }

  /** Whether this answer was to be expected; the id is forgotten then. */
  take(id: unknown): boolean {
    return this.#ids?.delete(Number(id)) === true;
  }
}
