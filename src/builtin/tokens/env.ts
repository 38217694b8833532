import type { ServiceId } from "../contract/ids.js";
import type { Account } from "../contract/account.js";

/** Environment variables as they are handed in. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The account that `MCPVISOR_<SERVICE>_TOKEN` describes; it wins over the store (containers, CI). */
export function accountFromEnv(env: Env, service: ServiceId): Account | undefined {
  const accessToken = env[tokenVariable(service)];
  if (accessToken === undefined || accessToken === "") return undefined;
  return {
    label: tokenVariable(service),
    kind: "env",
    keptIn: "file",
    connectedAt: 0,
    secrets: { accessToken },
  };
}

/** Name of the variable that holds a service's token. */
export function tokenVariable(service: ServiceId): string {
  return `MCPVISOR_${service.toUpperCase()}_TOKEN`;
}

/** Name of the variable that replaces a service's base address. */
export function urlVariable(service: ServiceId): string {
  return `MCPVISOR_${service.toUpperCase()}_URL`;
}
