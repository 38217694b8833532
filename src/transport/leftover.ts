import { readSync } from "node:fs";
import type { Readable } from "node:stream";

const readBytes = 65_536;
/** Much more than a pipe holds; somebody else who goes on writing is not listened to for ever. */
const mostReads = 64;

/**
 * Reads what a process has left in its pipe when it died, without waiting for another turn of the event loop, which
 * takes long when many servers are busy. True when that is all there will ever be; false when somebody else still
 * holds the pipe, or when this system does not let us look.
 */
export function takeLeftover(stream: Readable, take: (chunk: Buffer) => void): boolean {
  if (stream.readableEnded || stream.destroyed) return true;
  // oxlint-disable-next-line no-underscore-dangle -- the only way to the descriptor of a pipe that Node has made
  const fd = (stream as { _handle?: { fd?: number } | null })._handle?.fd ?? -1;
  if (fd < 0 || process.platform === "win32") return false;
  try {
    for (let reads = 0; reads < mostReads; reads++) {
      const chunk = Buffer.allocUnsafeSlow(readBytes);
      const length = readSync(fd, chunk);
      if (length === 0) return true;
      take(chunk.subarray(0, length));
    }
  } catch {
    // Nothing more now (EAGAIN), or it cannot be read: the stream itself tells what follows.
  }
  return false;
}
