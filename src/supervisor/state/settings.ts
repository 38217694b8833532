import type { Clock } from "../../clock.js";
import type { TransportSource } from "../../transport/transport.js";
import type { PermissionMode } from "../../policy/permission.js";
import type { SupervisorOptions } from "../contract/options.js";

/** Options with every default filled in. */
export interface Settings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly mode: PermissionMode | undefined;
  readonly naming: "flat" | "scoped";
  readonly approvalTimeoutMs: number;
  readonly parallelStarts: number;
  readonly handleSignals: boolean;
  readonly containment: NonNullable<SupervisorOptions["containment"]>;
  readonly network: boolean;
  readonly logLevel: SupervisorOptions["logging"];
  /** The state folder. */
  readonly home: string;
  readonly transports: Readonly<Record<string, TransportSource>>;
  readonly remember: boolean;
  readonly stderr: SupervisorOptions["stderr"];
}
