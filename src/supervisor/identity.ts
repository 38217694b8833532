import { createRequire } from "node:module";
import type { ClientIdentity } from "../protocol/codec.js";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** What servers are told about us; capabilities are those that the host has handlers for. */
export function identityWith(own: Readonly<Record<string, unknown>>, hasConsumers: boolean): ClientIdentity {
  const info = { name: "mcpvisor", version };
  if (!hasConsumers) return { info, capabilities: own };
  return { info, capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, ...own }, own };
}
