// As globals these are getters, which are called anew each time.
import { Buffer } from "node:buffer";
import { nextTick } from "node:process";
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

/** So many lines go out before the end of the turn, so that the server works while we prepare the others. */
const firstPiece = 8;
const growth = 4;
/** The most bytes that one UTF-16 code unit takes in UTF-8. */
const widest = 3;

/**
 * Lines to a server's stdin. The lines of one callback of the event loop and of the continuations that follow from it
 * share a write: the system call is the largest single cost of a call. Of many lines the first eight leave at once, then
 * the next thirty-two, and so on: the server need not wait for the last to begin with the first. While the pipe is full the
 * next lines wait and then share one write, too.
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
  let handedOver = 0;
  let delivered = 0;
  let piece = firstPiece;
  /** Writes that were not told yet to have ended. */
  let untold = 0;
  let state: "idle" | "scheduled" | "writing" | "closed" = "idle";

  const endOfTurn = (): void => {
    piece = firstPiece;
    if (state === "scheduled") flush();
  };
  const flush = (): void => {
    const text = lines.length === 1 ? `${lines[0]!}\n` : joined(lines);
    writing = Buffer.byteLength(text);
    handedOver = taken;
    forget();
    untold++;
    stream.write(text, writing === text.length ? "latin1" : "utf8", written);
    state = "writing";
    // The kernel took all of it, as it mostly does: its callback will only say so later.
    if (stream.writable && stream.writableLength === 0) left();
  };
  const left = (): void => {
    delivered = handedOver;
    writing = 0;
    state = "idle";
  };
  const written = (error: Error | null | undefined): void => {
    untold--;
    if (error instanceof Error) {
      if (state !== "closed") onBroken(error);
      return;
    }
    if (untold > 0 || state !== "writing") return;
    left();
    // They have waited already.
    if (lines.length > 0) flush();
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
      taken++;
      if (state === "idle") {
        state = "scheduled";
        nextTick(endOfTurn);
      } else if (state === "scheduled" && lines.length >= piece) {
        piece *= growth;
        flush();
      }
      return taken;
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

/** Each line with its newline, in one flat text. */
function joined(lines: string[]): string {
  lines.push("");
  return lines.join("\n");
}
