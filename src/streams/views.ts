import type { Observable } from "rxjs";
import type { Fact, FactType } from "../events.js";
import type { Bus } from "./bus.js";
import { GuardedObservable } from "./guarded.js";

/**
 * A current value as a stream: each subscriber gets it at once, then again after each fact of the given types. Values
 * are read when they are told, at most once per turn of the event loop: a burst of facts gives one value.
 */
export function view<T>(bus: Bus, types: readonly FactType[], read: () => T): Observable<T> {
  const wanted = new Set<FactType>(types);
  return new GuardedObservable<T>(ignore, (subscriber) => {
    let planned = false;
    const unlisten = bus.listen((fact: Fact) => {
      if (planned || !wanted.has(fact.type)) return;
      planned = true;
      queueMicrotask(() => {
        planned = false;
        if (!subscriber.closed) subscriber.next(read());
      });
    });
    subscriber.next(read());
    return unlisten;
  });
}

// A throwing subscriber of a view loses only its own call; the event stream is where it is told about.
function ignore(): void {}
