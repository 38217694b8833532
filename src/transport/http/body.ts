/** Collects a body up to a limit; bytes beyond it are counted out, not kept. */
export class Body {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False as soon as the limit is passed. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) return false;
    this.#chunks.push(chunk);
    return true;
  }

  /** All of it as text, decoded once, without a byte order mark. */
  text(): string {
    const [first] = this.#chunks;
    const text = (this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)).toString("utf8");
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
