import type { Clock, Supervisor } from "../../index.js";
import { controlFrame, factFrame, matches, type FeedFilter } from "./frame.js";

/** Where the frames of one reader go. `buffered` is what it has not taken yet, in bytes. */
export interface FeedSink {
  write(chunk: Buffer): void;
  buffered(): number;
  /** Called once, when what was written has been taken. */
  onceDrained(listener: () => void): void;
  end(): void;
}

/** Limits of the event feed. */
export interface FeedLimits {
  /** Readers at the same time; one more gets 503. Default: 64. */
  readonly readers: number;
  /** A reader with more bytes than this untaken is dropped; it comes back with Last-Event-ID. Default: 1 MiB. */
  readonly bufferedBytes: number;
  /** A comment is sent to silent readers every so many milliseconds. Default: 15,000. */
  readonly heartbeatMs: number;
}

/** One subscription to the facts for all readers. */
export interface Feed {
  hasRoom(): boolean;
  /** Ask `hasRoom` first. The returned function takes the reader out. */
  open(sink: FeedSink, filter: FeedFilter, afterSeq: number | undefined): () => void;
  readers(): number;
  dropped(): number;
  close(): void;
}

interface Reader {
  readonly sink: FeedSink;
  readonly group: Group;
  /** Catching up: the place in the journal. Undefined once it follows live. */
  place: number | undefined;
  /** The place at the last heartbeat: a reader that has not moved since takes nothing. */
  placeAtBeat: number | undefined;
}

/** Readers with one and the same filter get one and the same bytes. */
interface Group {
  readonly filter: FeedFilter;
  readonly live: Set<Reader>;
  pending: Buffer[];
}

const heartbeat = Buffer.from(": still here\n\n");
// Below this a catching-up reader gets more of the journal; far below the limit at which it would be dropped.
const replayBytes = 128 * 1024;

/** Encodes each fact once and writes per turn of the event loop, not per fact. */
export function createFeed(supervisor: Supervisor, clock: Clock, limits: FeedLimits, epoch: string): Feed {
  const groups = new Map<string, Group>();
  const readers = new Set<Reader>();
  let lastSeq = supervisor.replay(0).facts.at(-1)?.seq ?? 0;
  let flushing: NodeJS.Immediate | undefined;
  let dropped = 0;

  const subscription = supervisor.events$.subscribe((fact) => {
    lastSeq = fact.seq;
    for (const group of groups.values()) if (matches(fact, group.filter)) group.pending.push(factFrame(fact));
    if (readers.size > 0) flushing ??= setImmediate(flush);
  });
  let beat = clock.setTimeout(onBeat, limits.heartbeatMs);

  function onBeat(): void {
    for (const reader of readers) {
      if (reader.place === undefined) send(reader, heartbeat);
      else if (reader.place === reader.placeAtBeat) drop(reader);
      reader.placeAtBeat = reader.place;
    }
    beat = clock.setTimeout(onBeat, limits.heartbeatMs);
  }

  function flush(): void {
    flushing = undefined;
    for (const group of groups.values()) {
      if (group.pending.length === 0) continue;
      const chunk = Buffer.concat(group.pending);
      group.pending = [];
      for (const reader of group.live) send(reader, chunk);
    }
  }

  function send(reader: Reader, chunk: Buffer): void {
    reader.sink.write(chunk);
    if (reader.sink.buffered() > limits.bufferedBytes) drop(reader);
  }

  function drop(reader: Reader): void {
    dropped++;
    leave(reader);
    reader.sink.end();
  }

  function catchUp(reader: Reader): void {
    if (reader.place === undefined || !readers.has(reader)) return;
    flush();
    for (const fact of supervisor.replay(reader.place).facts) {
      if (reader.sink.buffered() > replayBytes) {
        reader.sink.onceDrained(() => catchUp(reader));
        return;
      }
      reader.place = fact.seq;
      if (matches(fact, reader.group.filter)) reader.sink.write(factFrame(fact));
    }
    reader.place = undefined;
    reader.group.live.add(reader);
  }

  function leave(reader: Reader): void {
    readers.delete(reader);
    reader.group.live.delete(reader);
    const unused = [...groups].find(([, group]) => group === reader.group);
    if (unused !== undefined && ![...readers].some((each) => each.group === reader.group))
      groups.delete(unused[0]);
  }

  function groupOf(filter: FeedFilter): Group {
    const key = JSON.stringify(filter);
    const group = groups.get(key) ?? { filter, live: new Set<Reader>(), pending: [] };
    groups.set(key, group);
    return group;
  }

  return {
    hasRoom: () => readers.size < limits.readers,
    open(sink, filter, afterSeq) {
      flush();
      sink.write(Buffer.from("retry: 2000\n\n"));
      sink.write(controlFrame("hello", { epoch, seq: lastSeq }));
      const { place, lost } = placeOf(afterSeq, lastSeq, supervisor);
      if (lost !== undefined) sink.write(controlFrame("reset", { reason: lost }));
      const reader: Reader = { sink, group: groupOf(filter), place, placeAtBeat: undefined };
      readers.add(reader);
      catchUp(reader);
      return () => leave(reader);
    },
    readers: () => readers.size,
    dropped: () => dropped,
    close() {
      subscription.unsubscribe();
      clock.clearTimeout(beat);
      if (flushing !== undefined) clearImmediate(flushing);
      for (const reader of readers) reader.sink.end();
      readers.clear();
      groups.clear();
    },
  };
}

/** Where replay begins, and what the reader must be told when facts in between are gone for good. */
function placeOf(
  afterSeq: number | undefined,
  lastSeq: number,
  supervisor: Supervisor,
): { place: number; lost?: "restarted" | "too-old" } {
  if (afterSeq === undefined) return { place: lastSeq };
  if (afterSeq > lastSeq) return { place: 0, lost: "restarted" };
  return supervisor.replay(afterSeq).complete ? { place: afterSeq } : { place: afterSeq, lost: "too-old" };
}
