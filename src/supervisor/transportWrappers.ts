import type { TransportWrapper } from "./lives/transports.js";
import type { Supervisor } from "./contract/supervisor.js";

const wrappersOf = new WeakMap<Supervisor, Set<TransportWrapper>>();

/** Lets a supervisor be wrapped; the set is asked when a life begins. */
export function allowWrappers(supervisor: Supervisor, wrappers: Set<TransportWrapper>): void {
  wrappersOf.set(supervisor, wrappers);
}

/** From the next life of each server on, its connection goes through `wrap`. Returns the function that ends this. */
export function wrapTransports(supervisor: Supervisor, wrap: TransportWrapper): () => void {
  const wrappers = wrappersOf.get(supervisor);
  if (wrappers === undefined) throw new TypeError("this supervisor was not made by createSupervisor");
  wrappers.add(wrap);
  return () => void wrappers.delete(wrap);
}
