import type { EraMemory } from "../../actors/lifePorts.js";
import type { Clock } from "../../clock.js";
import type { KeepAlive } from "../../process/keepAlive.js";
import type { ClientIdentity } from "../../protocol/codec.js";
import type { Deadlines } from "../../rpc/deadlines.js";
import type { Bus } from "../../streams/bus.js";
import type { Catalog } from "../../tools/catalog.js";
import type { Approvals, Permissions } from "./consent.js";
import type { LogLevel } from "../contract/inputs.js";
import type { Inputs } from "./inputs.js";
import type { ServerRecord } from "./serverRecord.js";

/** What the rooms of one supervisor share. */
export interface SharedState {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** A host that waits for a call, an approval or a server must not end because only timers are left, which do not hold it. */
  readonly keepAlive: KeepAlive;
  readonly identity: ClientIdentity;
  readonly bus: Bus;
  readonly catalog: Catalog;
  readonly records: Map<string, ServerRecord>;
  /** The record that serves this consumer: of a server that is not shared, that of a life of its own. */
  recordFor: (record: ServerRecord, consumer: string | undefined) => ServerRecord;
  readonly approvals: Approvals;
  readonly permissions: Permissions;
  readonly eras: EraMemory;
  /** What servers may ask of the host. */
  readonly inputs: Inputs;
  /** Level of the log messages that servers are asked for; none when undefined. */
  readonly logLevel: LogLevel | undefined;
  /** Why no new call is taken, once stopping. */
  closed: string | undefined;
}
