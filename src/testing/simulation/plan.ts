import type { FakeScript, FaultName } from "../fake/types.js";

/** What to simulate. */
export interface SimulationPlan {
  /** Everything that happens follows from it: a whole number of 32 bits. */
  readonly seed: number;
  /** Things that happen before the faults end. Default: 60. */
  readonly steps?: number;
  /** How many servers, or their scripts. Default: 3. */
  readonly servers?: number | readonly FakeScript[];
  /** The faults that may happen; all that a server in memory can have by default, none for an empty list. */
  readonly faults?: readonly FaultName[];
}
