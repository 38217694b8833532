/** One timer for all open answers. */
export class Beat {
  readonly #open = new Set<{ beat(now: number): void }>();
  readonly #timer = setInterval(() => {
    const now = Date.now();
    for (const each of this.#open) each.beat(now);
  }, 250).unref();

  get size(): number {
    return this.#open.size;
  }

  add(each: { beat(now: number): void }): void {
    this.#open.add(each);
  }

  delete(each: { beat(now: number): void }): void {
    this.#open.delete(each);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
