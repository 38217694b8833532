import type { Writable } from "node:stream";
import type { RequestId } from "../protocol/jsonrpc.js";

export interface Outbox {
  /** Position of the last byte of this line, or undefined when it would go over the limit. */
  add(text: string, id: RequestId | undefined): number | undefined;
  /** Bytes that have left our process for certain. */
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

/**
 * Lines to a server's stdin. All lines of one turn of the event loop go out in one write, at the end of the turn: the
 * system call is the largest single cost of a call. While a write is under way the next lines wait and then share one, too.
 */
export function createOutbox({ stream, unsentBytes, onBroken }: OutboxOptions): Outbox {
  let lines: string[] = [];
  let ids: (RequestId | undefined)[] = [];
  let taken = 0;
  let delivered = 0;
  let state: "idle" | "scheduled" | "writing" | "closed" = "idle";

  const flush = (): void => {
    if (state !== "scheduled") return;
    state = "writing";
    const upTo = taken;
    const text = lines.length === 1 ? `${lines[0]!}\n` : `${lines.join("\n")}\n`;
    lines = [];
    ids = [];
    stream.write(text, "utf8", (error) => written(error, upTo));
  };
  const written = (error: Error | null | undefined, upTo: number): void => {
    if (error instanceof Error) {
      if (state !== "closed") onBroken(error);
      return;
    }
    delivered = upTo;
    if (state !== "writing") return;
    state = "idle";
    if (lines.length === 0) return;
    // They have waited already.
    state = "scheduled";
    flush();
  };
  return {
    add(text, id) {
      const bytes = Buffer.byteLength(text) + 1;
      if (state === "closed" || taken - delivered + bytes > unsentBytes) return undefined;
      lines.push(text);
      ids.push(id);
      taken += bytes;
      if (state === "idle") {
        state = "scheduled";
        setImmediate(flush);
      }
      return taken;
    },
    delivered: () => delivered,
    unsent: () => taken - delivered,
    close() {
      state = "closed";
      lines = [];
      const unwritten = ids.filter((id) => id !== undefined);
      ids = [];
      return unwritten;
    },
  };
}
