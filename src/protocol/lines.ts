/** A line that was longer than allowed; its bytes are gone but for the two ends (at most 512 bytes each). */
export interface LostLine {
  readonly bytes: number;
  readonly limit: number;
  readonly head: string;
  readonly tail: string;
}

/** A line over the limit whose end has not been seen. */
export interface OpenLine {
  /** So many bytes until now. */
  readonly bytes: number;
  readonly head: string;
}

export interface LineReaderOptions {
  /** Longest line that is delivered, in bytes without its newline. */
  readonly maxBytes: number;
  onLine(text: string): void;
  /** Once per line over the limit, when its end is seen. */
  onOversize(lost: LostLine): void;
  /** With each chunk of a line over the limit, before its end is seen. */
  readonly onGrowing?: (line: OpenLine) => void;
  /** A chunk whose bytes are not needed any more, so that its memory can be had back before garbage is collected. */
  readonly onDropped?: (chunk: Uint8Array) => void;
}

export interface LineReader {
  /** Takes the next bytes of the stream; the chunk must not be changed afterwards. */
  push(chunk: Uint8Array): void;
  /** The stream is over: what is left counts as a line. */
  end(): void;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const endBytes = 512;
/** So many fragments of one line are joined early: a server that writes single bytes must not cost 100 bytes each. */
const mergeAt = 1024;

/**
 * Splits a byte stream into lines of UTF-8 text (MCP stdio transport: messages are delimited by newlines).
 * Linear in the bytes whatever the chunks: each chunk is searched once, a line is joined and decoded once.
 * A byte order mark at the very start and CRLF are accepted, blank lines are skipped, invalid UTF-8 becomes
 * U+FFFD. At most `maxBytes` are held; of a longer line only its ends are kept and only that line is lost.
 */
export function createLineReader(options: LineReaderOptions): LineReader {
  const open = createOpenLine(options);
  let atStart = true;

  const finish = (lastPart: Buffer): void => {
    if (open.size() === 0 && fits(lastPart, options.maxBytes)) {
      emit(lastPart);
    } else {
      open.add(lastPart);
      const line = open.take();
      if (Buffer.isBuffer(line)) emit(line);
      else options.onOversize(line);
    }
    atStart = false;
  };
  const emit = (bytes: Buffer): void => {
    const from = atStart && hasByteOrderMark(bytes) ? 3 : 0;
    const to = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    if (to > from) deliver(bytes.toString("utf8", from, to));
  };
  const deliver = (text: string): void => {
    if (!isBlank(text)) options.onLine(text);
  };
  /** The usual chunk holds whole lines that all fit: one decoding for all of them costs a fraction of one for each. */
  const emitWhole = (bytes: Buffer, upTo: number): void => {
    const text = bytes.toString("utf8", 0, upTo);
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const to = text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at;
      if (to > from) deliver(text.slice(from, to));
      from = at + 1;
    }
  };

  return {
    push(chunk) {
      const bytes = asBuffer(chunk);
      let from = 0;
      if (!atStart && open.size() === 0 && bytes.length <= options.maxBytes) {
        from = bytes.lastIndexOf(newline) + 1;
        emitWhole(bytes, from);
      }
      for (let at = bytes.indexOf(newline, from); at >= 0; at = bytes.indexOf(newline, from)) {
        finish(bytes.subarray(from, at));
        from = at + 1;
      }
      if (from < bytes.length) open.add(from === 0 ? bytes : bytes.subarray(from));
    },
    end() {
      if (open.size() > 0) finish(Buffer.alloc(0));
    },
  };
}

/** The fragments of the line that is still coming in; over the limit only its two ends. */
function createOpenLine({ maxBytes, onGrowing, onDropped }: LineReaderOptions) {
  let parts: Buffer[] = [];
  let merged = 0;
  let size = 0;
  let ends: { head: Buffer; tail: Buffer } | undefined;

  const add = (part: Buffer): void => {
    size += part.length;
    if (ends !== undefined) {
      ends.tail = lastBytes([ends.tail, part]);
      onDropped?.(part);
      onGrowing?.({ bytes: size, head: ends.head.toString("utf8") });
    } else if (size > maxBytes + 1) {
      // One byte of grace: it may be the carriage return of a line that fits exactly.
      drop(part);
    } else {
      parts.push(part);
      if (parts.length - merged >= mergeAt) merge();
    }
  };
  const drop = (part: Buffer): void => {
    const dropped = [...parts, part];
    ends = { head: firstBytes(dropped), tail: lastBytes(dropped) };
    parts = [];
    if (onDropped !== undefined) for (const each of dropped) onDropped(each);
  };
  const merge = (): void => {
    parts.push(Buffer.concat(parts.splice(merged)));
    merged = parts.length;
  };
  const take = (): Buffer | LostLine => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (ends === undefined && !fits(whole, maxBytes)) drop(Buffer.alloc(0));
    const line = ends === undefined ? whole : lostLine(ends.head, ends.tail, size, maxBytes);
    parts = [];
    merged = 0;
    size = 0;
    ends = undefined;
    return line;
  };

  return { add, take, size: () => size };
}

function lostLine(head: Buffer, tail: Buffer, bytes: number, limit: number): LostLine {
  return { bytes, limit, head: head.toString("utf8"), tail: tail.toString("utf8") };
}

function fits(line: Buffer, maxBytes: number): boolean {
  return line.length <= maxBytes || (line.length === maxBytes + 1 && line.at(-1) === carriageReturn);
}

function firstBytes(parts: readonly Buffer[]): Buffer {
  const picked: Buffer[] = [];
  let left = endBytes;
  for (const part of parts) {
    if (left <= 0) break;
    picked.push(part.subarray(0, left));
    left -= part.length;
  }
  return Buffer.concat(picked);
}

function lastBytes(parts: readonly Buffer[]): Buffer {
  const picked: Buffer[] = [];
  let left = endBytes;
  for (let at = parts.length - 1; at >= 0 && left > 0; at--) {
    const part = parts[at]!;
    picked.unshift(part.subarray(Math.max(0, part.length - left)));
    left -= part.length;
  }
  return Buffer.concat(picked);
}

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isBlank(text: string): boolean {
  return text.charCodeAt(0) <= 0x20 && text.trim() === "";
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
