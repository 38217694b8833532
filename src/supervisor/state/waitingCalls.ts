import type { Cause } from "../../errors.js";
import type { ServerRecord } from "./serverRecord.js";

/** The calls that wait for a server, as whoever learns of its changes speaks to them. */
export interface WaitingCalls {
  /** The server has become usable, or a slot is free: what may go is sent. */
  pump(record: ServerRecord): void;
  /** The server cannot be had: everything that waits for it fails with the reason. */
  failWaiting(record: ServerRecord, cause: Cause): void;
  /** At rest: calls whose attempt failed are told so, those that came too late for it ask for another one. */
  onRest(record: ServerRecord): void;
  /** The next attempt is planned: calls that end before it are told now, with the time to wait. */
  failHopeless(record: ServerRecord): void;
}
