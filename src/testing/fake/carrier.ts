import type { ServerConfig, TransportSource } from "../../index.js";

/** What carries a fake server. */
export interface Carrier {
  readonly config: Partial<ServerConfig>;
  readonly source?: TransportSource;
  close(): Promise<void>;
}
