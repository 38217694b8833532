import { Observable } from "rxjs/internal/Observable";
import type { Operator, Subscriber, Subscription } from "rxjs";

/** Told when a subscriber threw; must not throw itself. */
export type OnThrow = (error: unknown) => void;

/**
 * An Observable whose subscribers cannot harm the host: rxjs re-throws what a `next` handler throws as an uncaught
 * exception. Streams derived with pipe() are guarded too (they are made through lift).
 */
export class GuardedObservable<T> extends Observable<T> {
  readonly #onThrow: OnThrow;

  constructor(onThrow: OnThrow, subscribe?: (subscriber: Subscriber<T>) => (() => void) | void) {
    super(subscribe);
    this.#onThrow = onThrow;
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(this.#onThrow);
    // The two fields rxjs itself sets here (Observable.lift); there is no public way to keep a subclass through pipe().
    const parts = lifted as unknown as { source: Observable<T>; operator: Operator<T, R> | undefined };
    parts.source = this;
    parts.operator = operator;
    return lifted;
  }

  override subscribe(...args: unknown[]): Subscription {
    const [first, ...rest] = args;
    const guarded =
      typeof first === "function"
        ? this.#guard(first as Handler)
        : isPlainObserver(first)
          ? this.#guardAll(first)
          : first;
    return super.subscribe(...([guarded, ...rest] as unknown as Parameters<Observable<T>["subscribe"]>));
  }

  #guardAll(observer: PlainObserver): PlainObserver {
    const guarded: PlainObserver = {};
    for (const key of ["next", "error", "complete"] as const) {
      const handler = observer[key];
      if (handler !== undefined) guarded[key] = this.#guard(handler.bind(observer));
    }
    return guarded;
  }

  #guard(handler: Handler): Handler {
    return (value) => {
      try {
        handler(value);
      } catch (error) {
        this.#onThrow(error);
      }
    };
  }
}

type Handler = (value: unknown) => void;
type PlainObserver = { next?: Handler; error?: Handler; complete?: Handler };

/** Subscribers of rxjs itself pass through: their own tear-down logic hangs on them. */
function isPlainObserver(value: unknown): value is PlainObserver {
  return typeof value === "object" && value !== null && !("isStopped" in value && "add" in value);
}
