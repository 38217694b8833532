import type { ServerState } from "../../events.js";
import type { ServerRecord } from "./serverRecord.js";

const attempting: ReadonlySet<ServerState> = new Set(["connecting", "initializing", "listing"]);

/** Whether a connection attempt is under way. */
export function isAttempting(record: ServerRecord): boolean {
  return attempting.has(record.state);
}
