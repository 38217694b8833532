import { randomUUID } from "node:crypto";
import type { ClientIdentity } from "../protocol/codec.js";
import { version } from "../version.js";

/** What servers are told about us; capabilities are those that the host has handlers for. */
export function identityWith(own: Readonly<Record<string, unknown>>, hasConsumers: boolean): ClientIdentity {
  const info = { name: "mcpvisor", version };
  if (!hasConsumers) return { info, capabilities: own };
  return {
    // By the title a gateway knows itself as its own client.
    info: { ...info, title: `mcpvisor gateway ${randomUUID()}` },
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, ...own },
    own,
  };
}

const titles = new WeakMap<object, string>();

export function remember(supervisor: object, { info }: ClientIdentity): void {
  if (info.title !== undefined) titles.set(supervisor, info.title);
}

/**
 * The title in the `clientInfo` that the servers of this supervisor are told: random, and there only with
 * `SupervisorOptions.consumers`. A gateway that is greeted under its own title would be its own server.
 */
export function gatewayTitle(supervisor: object): string | undefined {
  return titles.get(supervisor);
}
