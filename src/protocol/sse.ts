import { createParser, type EventSourceMessage } from "eventsource-parser";

/** One event of a stream. */
export interface StreamEvent {
  /** Absent when the server named none: then it counts as `message`. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
  /** False for what stood at the end of the stream without the blank line that completes an event. */
  readonly complete: boolean;
}

export interface EventReaderOptions {
  /** Data of one event, in bytes of UTF-8. */
  readonly maxBytes: number;
  onEvent(event: StreamEvent): void;
  /** The server's `retry` field, in milliseconds. */
  onRetry(ms: number): void;
  /** An event over `maxBytes` was dropped; reading goes on behind it. */
  onOversize(): void;
}

export interface EventReader {
  feed(text: string): void;
  /** The stream is over: hands out an event that lacks its final blank line. */
  end(): void;
}

// Field names and an unfinished line of the next event share the parser's buffer with the data.
const slackChars = 1024;

/**
 * Reads an event stream (WHATWG HTML, server-sent events) from decoded text cut anywhere. All three line ends count at
 * once, also a lone CR at the end of a piece; a byte order mark is dropped; an event over the limit costs only itself.
 */
export function createEventReader(options: EventReaderOptions): EventReader {
  const lineEnds = createLineEnds();
  let complete = true;
  let skipping = false;
  let skippedTail = "";
  const parser = createParser({
    maxBufferSize: options.maxBytes + slackChars,
    onEvent: (event) => take(event),
    onRetry: (ms) => options.onRetry(ms),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") skipping = true;
    },
  });

  return {
    feed: (text) => read(lineEnds(text)),
    end: () => {
      complete = false;
      if (!skipping) read("\n\n");
    },
  };

  function take(event: EventSourceMessage): void {
    if (isOver(event.data, options.maxBytes)) return options.onOversize();
    options.onEvent({ event: event.event, id: event.id, data: event.data, complete });
  }

  function read(text: string): void {
    const rest = skipping ? behindBlankLine(text) : text;
    if (rest === undefined) return;
    parser.feed(rest);
    if (!skipping) return;
    options.onOversize();
    parser.reset();
    skippedTail = rest.slice(-1);
  }

  /** What follows the event that is being dropped; undefined while it still goes on. */
  function behindBlankLine(text: string): string | undefined {
    const joined = skippedTail + text;
    const at = joined.indexOf("\n\n");
    skippedTail = joined.slice(-1);
    if (at < 0) return undefined;
    skipping = false;
    return joined.slice(at + 2);
  }
}

/** Makes every line end an LF as soon as it is seen, whatever the cuts between the pieces; drops the mark at the start. */
function createLineEnds(): (text: string) => string {
  let first = true;
  let afterCr = false;
  return (piece) => {
    let text = piece;
    if (text === "") return text;
    if (first && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    first = false;
    if (afterCr && text.startsWith("\n")) text = text.slice(1);
    afterCr = piece.endsWith("\r");
    return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  };
}

function isOver(text: string, maxBytes: number): boolean {
  // A UTF-16 code unit is at most 3 bytes of UTF-8: most events need no counting.
  if (text.length * 3 <= maxBytes) return false;
  return text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes;
}
