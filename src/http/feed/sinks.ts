import type { ServerResponse } from "node:http";
import type { FeedSink } from "./feed.js";
import { securityHeaders } from "../guard/securityHeaders.js";

/** Headers of the event stream; the last one keeps reverse proxies from holding events back. */
export const feedHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Writes straight to the Node response: no stream object and no promise per event. */
export function nodeSink(outgoing: ServerResponse): FeedSink {
  return {
    write: (chunk) => void outgoing.write(chunk),
    buffered: () => outgoing.writableLength,
    onceDrained: (listener) => void outgoing.once("drain", listener),
    // A reader that takes nothing would hold an orderly end back as well.
    end: () => void (outgoing.writableLength === 0 ? outgoing.end() : outgoing.destroy()),
  };
}

/** The same for servers that speak web streams; `onGone` is called when the reader goes away. */
export function streamSink(onGone: () => void): { sink: FeedSink; stream: ReadableStream<Uint8Array> } {
  const capacity = 16 * 1024 * 1024;
  let drained: (() => void) | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (each) => void (controller = each),
      pull() {
        // Called after each chunk that was taken; only an empty queue counts as drained.
        if (buffered() > 0) return;
        const listener = drained;
        drained = undefined;
        listener?.();
      },
      cancel: onGone,
    },
    { highWaterMark: capacity, size: (chunk) => chunk.byteLength },
  );
  const buffered = (): number => capacity - (controller?.desiredSize ?? capacity);
  const sink: FeedSink = {
    write: (chunk) => controller?.enqueue(chunk),
    buffered,
    onceDrained: (listener) => void (drained = listener),
    end: () => {
      if (controller?.desiredSize !== null) controller?.close();
    },
  };
  return { sink, stream };
}
