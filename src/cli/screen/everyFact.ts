import type { Fact, Supervisor } from "../../index.js";

/** Hands over the facts of the start from the journal, then the live ones: each once, in order, until closed. */
export function everyFact(supervisor: Supervisor, take: (fact: Fact) => void): { close(): void } {
  let last = 0;
  const once = (fact: Fact) => {
    if (fact.seq <= last) return;
    last = fact.seq;
    take(fact);
  };
  for (const fact of supervisor.replay(0).facts) once(fact);
  const subscription = supervisor.events$.subscribe(once);
  return { close: () => subscription.unsubscribe() };
}
