import type { ClientIdentity } from "../protocol/codec.js";
import { version } from "../version.js";

/** What servers are told about us; capabilities are those that the host has handlers for. */
export function identityWith(own: Readonly<Record<string, unknown>>, hasConsumers: boolean): ClientIdentity {
  const info = { name: "mcpvisor", version };
  if (!hasConsumers) return { info, capabilities: own };
  return { info, capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, ...own }, own };
}
