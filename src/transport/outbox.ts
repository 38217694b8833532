import type { Writable } from "node:stream";
import type { RequestId } from "../protocol/jsonrpc.js";

export interface Outbox {
  /** Takes one line and gives its number, counted from 1; undefined when the unsent bytes would go over the limit. */
  add(text: string, id: RequestId | undefined): number | undefined;
  /** Number of the last line that has left our process for certain. */
  delivered(): number;
  /** Bytes that were taken in and have not left yet. */
  unsent(): number;
  /** Takes nothing more and gives the ids of requests of which no byte was handed to the pipe. */
  close(): readonly RequestId[];
}

export interface OutboxOptions {
  readonly stream: Writable;
  readonly unsentBytes: number;
  /** The pipe is broken: told once. */
  readonly onBroken: (error: Error) => void;
}

/** The most bytes that one UTF-16 code unit takes in UTF-8. */
const widest = 3;

/**
 * Lines to a server's stdin. All lines of one callback of the event loop and of the continuations that follow from it go
 * out in one write: the system call is the largest single cost of a call. While a write is under way the next lines
 * wait and then share one, too.
 */
export function createOutbox({ stream, unsentBytes, onBroken }: OutboxOptions): Outbox {
  let lines: string[] = [];
  let ids: (RequestId | undefined)[] = [];
  /** UTF-16 code units of the waiting lines with their newlines. */
  let waiting = 0;
  /** So many of the waiting lines have been counted in bytes, and have these. */
  let counted = 0;
  let countedBytes = 0;
  let writing = 0;
  let taken = 0;
  let underWay = 0;
  let delivered = 0;
  let state: "idle" | "scheduled" | "writing" | "closed" = "idle";

  const flush = (): void => {
    if (state !== "scheduled") return;
    state = "writing";
    const text = lines.length === 1 ? `${lines[0]!}\n` : `${lines.join("\n")}\n`;
    writing = Buffer.byteLength(text);
    underWay = taken;
    forget();
    stream.write(text, writing === text.length ? "latin1" : "utf8", written);
  };
  const written = (error: Error | null | undefined): void => {
    if (error instanceof Error) {
      if (state !== "closed") onBroken(error);
      return;
    }
    delivered = underWay;
    writing = 0;
    if (state !== "writing") return;
    state = "idle";
    if (lines.length === 0) return;
    // They have waited already.
    state = "scheduled";
    flush();
  };
  const forget = (): void => {
    lines = [];
    ids = [];
    waiting = counted = countedBytes = 0;
  };
  const unsent = (): number => {
    for (; counted < lines.length; counted++) countedBytes += Buffer.byteLength(lines[counted]!) + 1;
    return writing + countedBytes;
  };
  /** Counting the bytes of each line costs more than the rest of this file, and matters only near the limit. */
  const fits = (text: string): boolean =>
    writing + (waiting + text.length + 1) * widest <= unsentBytes ||
    unsent() + Buffer.byteLength(text) + 1 <= unsentBytes;

  return {
    add(text, id) {
      if (state === "closed" || !fits(text)) return undefined;
      lines.push(text);
      ids.push(id);
      waiting += text.length + 1;
      if (state === "idle") {
        state = "scheduled";
        process.nextTick(flush);
      }
      return ++taken;
    },
    delivered: () => delivered,
    unsent,
    close() {
      state = "closed";
      const unwritten = ids.filter((id) => id !== undefined);
      forget();
      return unwritten;
    },
  };
}
