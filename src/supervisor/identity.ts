import { createRequire } from "node:module";
import type { ClientIdentity } from "../protocol/codec.js";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** What servers are told about us; capabilities are those that the host has handlers for. */
export function identityWith(capabilities: Readonly<Record<string, unknown>>): ClientIdentity {
  return { info: { name: "mcpvisor", version }, capabilities };
}
