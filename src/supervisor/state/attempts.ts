import type { ServerState } from "../../events.js";
import type { Unit } from "./serverRecord.js";

const attempting: ReadonlySet<ServerState> = new Set(["connecting", "initializing", "listing"]);

/** Whether a connection attempt is under way. */
export function isAttempting(unit: Unit): boolean {
  return attempting.has(unit.state);
}
