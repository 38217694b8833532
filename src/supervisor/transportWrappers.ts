import type { Tap } from "./lives/transports.js";
import type { Supervisor } from "./contract/supervisor.js";

const tapsOf = new WeakMap<Supervisor, Set<Tap>>();

/** Lets a supervisor be tapped; the set is asked when a life begins. */
export function allowTaps(supervisor: Supervisor, taps: Set<Tap>): void {
  tapsOf.set(supervisor, taps);
}

/** From the next life of each server on, its connection goes through `tap`. Returns the function that ends this. */
export function tapTransports(supervisor: Supervisor, tap: Tap): () => void {
  const taps = tapsOf.get(supervisor);
  if (taps === undefined) throw new TypeError("this supervisor was not made by createSupervisor");
  taps.add(tap);
  return () => void taps.delete(tap);
}
