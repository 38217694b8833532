/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Buckets grow by a fifth from 0.05 ms: 100 of them reach over an hour. */
const buckets = 100;
const base = Math.log(1.2);
const smallestMs = 0.05;

/** A fixed-size histogram: adding is two array operations, whatever the number of calls. */
export class Latency {
  #counts: Uint32Array | undefined;
  #total = 0;

  add(ms: number): void {
    this.#counts ??= new Uint32Array(buckets);
    const at = ms <= smallestMs ? 0 : Math.min(buckets - 1, Math.ceil(Math.log(ms / smallestMs) / base));
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total++;
  }

  /** Upper bounds of the buckets the percentiles fall in (at most a fifth too high); undefined before the first call. */
  percentiles(): Percentiles | undefined {
    const counts = this.#counts;
    if (counts === undefined) return undefined;
    const at = (share: number): number => {
      let left = Math.ceil(this.#total * share);
      const index = counts.findIndex((count) => (left -= count) <= 0);
      return Math.round(smallestMs * Math.exp(base * index) * 100) / 100;
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}
