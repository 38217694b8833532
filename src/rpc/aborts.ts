/** Something that ends when a signal fires. */
export interface Abortable {
  abort(reason: unknown): void;
}

const watched = new WeakMap<AbortSignal, Set<Abortable>>();

/**
 * Ties `item` to `signal` with one listener per distinct signal, however many items share it: adding a listener per
 * call costs more with each call on a shared signal and sets off the listener warning of Node.
 */
export function watchAbort(signal: AbortSignal, item: Abortable): void {
  const known = watched.get(signal);
  if (known !== undefined) {
    if (known.size === 0) signal.addEventListener("abort", onAbort, { once: true });
    known.add(item);
    return;
  }
  watched.set(signal, new Set([item]));
  signal.addEventListener("abort", onAbort, { once: true });
}

/** Nothing of a settled item stays on its signal. */
export function unwatchAbort(signal: AbortSignal, item: Abortable): void {
  const known = watched.get(signal);
  if (known?.delete(item) && known.size === 0) signal.removeEventListener("abort", onAbort);
}

function onAbort(this: AbortSignal): void {
  const items = watched.get(this);
  if (items === undefined) return;
  watched.delete(this);
  for (const item of items) item.abort(this.reason);
}
