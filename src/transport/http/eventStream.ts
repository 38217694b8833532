import { StringDecoder } from "node:string_decoder";
import { createEventReader, type EventReader, type StreamEvent } from "../../protocol/sse.js";

/** Where a stream can be taken up again after a break. */
export interface Cursor {
  lastId?: string;
  /** The server's own wait before a reconnect, in milliseconds. */
  retryMs?: number;
}

// `retry: 0` would be a tight loop, and a timer cannot hold more than 24 days.
const minRetryMs = 50;
const maxRetryMs = 600_000;

export interface EventStreamSink {
  /** One message; batches are taken apart. */
  message(message: unknown): void;
  /** Data of a `message` event that is no JSON. */
  noise(data: string): void;
  /** A message over the limit was dropped. */
  oversize(): void;
  /** An event of another name; they mean something only in the HTTP+SSE transport. */
  other?(event: string, data: string): void;
}

/** Bytes of one event stream to JSON-RPC messages; keeps the cursor of its stream. */
export class EventStream {
  readonly cursor: Cursor;
  readonly #sink: EventStreamSink;
  readonly #decoder = new StringDecoder("utf8");
  readonly #reader: EventReader;

  constructor(maxBytes: number, sink: EventStreamSink, cursor: Cursor = {}) {
    this.cursor = cursor;
    this.#sink = sink;
    this.#reader = createEventReader({
      maxBytes,
      onEvent: (event) => this.#take(event),
      onRetry: (ms) => {
        cursor.retryMs = Math.min(Math.max(ms, minRetryMs), maxRetryMs);
      },
      onOversize: () => sink.oversize(),
    });
  }

  write(chunk: Buffer): void {
    this.#reader.feed(this.#decoder.write(chunk));
  }

  end(): void {
    this.#reader.feed(this.#decoder.end());
    this.#reader.end();
  }

  #take({ event, id, data, complete }: StreamEvent): void {
    const value = isMessage(event) && data !== "" ? parse(data) : undefined;
    // An event that was cut off did not arrive: its id must not move the cursor.
    if (id !== undefined && (complete || value !== undefined)) this.cursor.lastId = id;
    if (!isMessage(event)) return this.#sink.other?.(event, data);
    if (data === "") return;
    if (value !== undefined) for (const each of unbatch(value)) this.#sink.message(each);
    else if (complete) this.#sink.noise(data);
  }
}

/** The messages of one JSON value: a batch (MCP 2025-03-26) is taken apart. */
export function unbatch(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isMessage(event: string | undefined): event is "message" | undefined {
  return event === undefined || event === "message";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: undefined stands for it, since JSON has no such value.
    return undefined;
  }
}
