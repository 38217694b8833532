import type { Clock } from "../clock.js";
import type { Keyring } from "../keep/keyring.js";
import type { Authorize, BrokerPorts } from "./contract.js";

export interface BrokerOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly userAgent?: string;
  /** Asked for every login that has no other way to a person. */
  readonly authorize?: Authorize | undefined;
  readonly authorizeWhen: "asked" | "needed";
  /** `file` never touches the OS keyring. */
  readonly keep?: "auto" | "file";
  readonly loadKeyring?: () => Promise<Keyring | undefined>;
  readonly ports: BrokerPorts;
}
