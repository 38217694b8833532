import { visible } from "../protocol/visible.js";

export interface Tail {
  push(chunk: Buffer): void;
  /** Newest lines, oldest first, control characters written out. */
  readonly lines: () => readonly string[];
}

const mergeAt = 256;
const lineChars = 2000;

/** Keeps the newest bytes of a stream and shows them as its last lines; costs next to nothing per chunk. */
export function createTail(limits: { readonly lines: number; readonly bytes: number }): Tail {
  let chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;

  const trim = (): void => {
    while (chunks.length > 1 && size - chunks[0]!.length >= limits.bytes) {
      size -= chunks.shift()!.length;
      isCut = true;
    }
    if (chunks.length < mergeAt) return;
    isCut ||= size > limits.bytes;
    chunks = [Buffer.concat(chunks).subarray(-limits.bytes)];
    size = chunks[0]!.length;
  };

  return {
    push(chunk) {
      // A copy of the end of a large chunk, so that the rest of it can be freed.
      const part = chunk.length > limits.bytes ? Buffer.from(chunk.subarray(-limits.bytes)) : chunk;
      isCut ||= part !== chunk;
      chunks.push(part);
      size += part.length;
      trim();
    },
    lines() {
      if (limits.lines <= 0 || limits.bytes <= 0) return [];
      const kept = Buffer.concat(chunks).subarray(-limits.bytes);
      // What is cut carries a mark: beside it the masker drops what may be the end of a secret (policy/secrets.ts).
      return `${isCut || kept.length < size ? "…" : ""}${kept.toString("utf8")}`
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "")
        .slice(-limits.lines)
        .map((line) => visible(line.length > lineChars ? `…${line.slice(-lineChars)}` : line));
    },
  };
}
