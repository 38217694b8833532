/** Something that ends when a signal fires. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** Most signals end one call: a set is made for the second. */
const watched = new WeakMap<AbortSignal, Abortable | Set<Abortable>>();
const once = { once: true };

/**
 * Ties `item` to `signal` with one listener per distinct signal, however many items share it: adding a listener per
 * call costs more with each call on a shared signal and sets off the listener warning of Node.
 */
export function watchAbort(signal: AbortSignal, item: Abortable): void {
  const known = watched.get(signal);
  if (known instanceof Set) {
    known.add(item);
  } else if (known !== undefined) {
    watched.set(signal, new Set([known, item]));
  } else {
    watched.set(signal, item);
    signal.addEventListener("abort", onAbort, once);
  }
}

/** Nothing of a settled item stays on its signal. */
export function unwatchAbort(signal: AbortSignal, item: Abortable): void {
  const known = watched.get(signal);
  if (known === undefined) return;
  if (known instanceof Set) {
    known.delete(item);
    if (known.size > 0) return;
  } else if (known !== item) return;
  watched.delete(signal);
  signal.removeEventListener("abort", onAbort);
}

function onAbort(this: AbortSignal): void {
  const items = watched.get(this);
  if (items === undefined) return;
  watched.delete(this);
  if (!(items instanceof Set)) return items.abort(this.reason);
  for (const item of items) item.abort(this.reason);
}
