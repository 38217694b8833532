import { createParser } from "eventsource-parser";
import { pageHeaders } from "./page.js";

/** Who hears a feed; `lost` is the last, whatever the reason. */
export interface FeedReader {
  event(type: string, data: string): void;
  lost(): void;
}

/** Reads server-sent events with our header, which an EventSource cannot send. Returns what closes it, unheard. */
export function openFeed(path: string, reader: FeedReader): () => void {
  const stop = new AbortController();
  void read(path, reader, stop.signal).then(
    () => stop.signal.aborted || reader.lost(),
    () => stop.signal.aborted || reader.lost(),
  );
  return () => stop.abort();
}

async function read(path: string, reader: FeedReader, signal: AbortSignal): Promise<void> {
  const answer = await fetch(path, { headers: { accept: "text/event-stream", ...pageHeaders() }, signal });
  if (!answer.ok || answer.body === null) return;
  const parser = createParser({ onEvent: ({ event = "message", data }) => reader.event(event, data) });
  const texts = answer.body.pipeThrough(new TextDecoderStream());
  for (const source = texts.getReader(); ; ) {
    const { done, value } = await source.read();
    if (done) return;
    parser.feed(value);
  }
}
