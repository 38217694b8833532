import type { Fact, Supervisor } from "../../index.js";
import type { FakeServer, FaultName } from "../fake/types.js";
import type { Violation } from "../invariants.js";
import type { SeededRandom } from "../random.js";
import type { SimulatedClock } from "../simulatedClock.js";
import type { Callers } from "./callers.js";

/** A supervisor in a world of its own: a clock that stands still, servers in memory, and chance from a seed. */
export interface World {
  readonly chance: SeededRandom;
  readonly clock: SimulatedClock;
  readonly supervisor: Supervisor;
  readonly fakes: readonly FakeServer[];
  readonly callers: Callers;
  /** Ids whose entry was removed or switched off. */
  readonly gone: Set<string>;
  readonly faults: readonly FaultName[];
  readonly facts: readonly Fact[];
  violations(): readonly Violation[];
  recover(): Promise<void>;
  stop(): Promise<void>;
}
