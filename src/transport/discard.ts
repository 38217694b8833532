/** A port whose other end is gone: what is transferred to it is freed at once. */
const nowhere = (() => {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
})();

/**
 * Gives the memory of a chunk back now; it is empty afterwards. Garbage collection sees only how much a chunk weighs
 * on the heap, which is nearly nothing, and lets tens of megabytes pile up while a stream is read and thrown away.
 * A chunk that shares its memory with others is left alone.
 */
export function discard(chunk: Uint8Array): void {
  const { buffer, byteLength } = chunk;
  if (!(buffer instanceof ArrayBuffer) || byteLength === 0 || byteLength !== buffer.byteLength) return;
  try {
    nowhere.postMessage(undefined, [buffer]);
  } catch {
    // Memory that may not be transferred is collected like everything else.
  }
}
