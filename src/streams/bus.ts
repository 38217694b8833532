import { Subject } from "rxjs/internal/Subject";
import type { Observable } from "rxjs";
import type { Clock } from "../clock.js";
import type { Fact, FactBody, Order } from "../events.js";
import { callFact } from "./callFacts.js";
import type { CallNote } from "./callFacts.js";
import { GuardedObservable } from "./guarded.js";
import { createJournal } from "./journal.js";

/** The one way facts and orders travel. It orders, never errors and never completes. */
export interface Bus {
  publish(body: FactBody): void;
  /** Publishes the fact of a note: no object is made of it unless somebody listens. */
  note(note: CallNote): void;
  order(order: Order): void;
  /** For hosts: subscribers that throw harm nobody. */
  readonly events$: Observable<Fact>;
  readonly orders$: Observable<Order>;
  /** The cheap way in for our own rooms: called for each fact, in order; must not throw. */
  listen(listener: (fact: Fact) => void): () => void;
  replay(afterSeq: number): { facts: Fact[]; complete: boolean };
}

export interface BusOptions {
  readonly clock: Clock;
  readonly journalSize: number;
}

/**
 * A fact published while another one is told waits its turn (queue and drain), so that every subscriber sees the same
 * order; with a plain Subject, later subscribers would see the inner fact first.
 */
export function createBus({ clock, journalSize }: BusOptions): Bus {
  const journal = createJournal(journalSize);
  const facts = new Subject<Fact>();
  const orders = new Subject<Order>();
  const listeners = new Set<(fact: Fact) => void>();
  const queue: Fact[] = [];
  let draining = false;
  let seq = 0;
  let complained = false;

  function drain(): void {
    if (draining) return;
    draining = true;
    for (let fact = queue.shift(); fact !== undefined; fact = queue.shift()) {
      for (const listener of listeners) listener(fact);
      if (facts.observed) facts.next(fact);
    }
    draining = false;
  }

  function publish(body: FactBody): void {
    // The body is ours alone from here on: stamping it in place saves a copy per fact.
    const fact = body as Fact & { seq: number; at: number };
    fact.seq = ++seq;
    fact.at = clock.now();
    journal.add(fact);
    tell(fact);
  }

  function note(each: CallNote): void {
    seq++;
    const at = clock.now();
    journal.note(each, at);
    if (facts.observed || listeners.size > 0) tell(callFact(each, seq, at));
  }

  function tell(fact: Fact): void {
    if (!facts.observed && listeners.size === 0) return;
    queue.push(fact);
    drain();
  }

  function onThrow(error: unknown): void {
    // Once: a subscriber that always throws would otherwise feed itself with these.
    if (complained) return;
    complained = true;
    const message = error instanceof Error ? error.message : String(error);
    publish({
      type: "mcp.log",
      id: "",
      level: "error",
      message: `a subscriber of the event stream threw: ${message}`,
    });
  }

  return {
    publish,
    note,
    order: (order) => orders.next(order),
    events$: new GuardedObservable<Fact>(onThrow, (subscriber) => {
      const subscription = facts.subscribe(subscriber);
      return () => subscription.unsubscribe();
    }),
    orders$: orders,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replay: (afterSeq) => journal.after(afterSeq),
  };
}
