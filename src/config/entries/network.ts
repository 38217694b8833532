import type { ServerSpec } from "../../spec.js";

/** Why a server with a url is held back. */
export const networkOff = {
  kind: "network-off",
  message: "the network is switched off; servers with a url are not connected",
} as const;

/** The specs as they are with the network on or off; what is held for another reason stays held for it. */
export function withNetwork(specs: readonly ServerSpec[], enabled: boolean): ServerSpec[] {
  return specs.map((spec) => {
    if (spec.target.kind === "stdio") return spec;
    if (!enabled) return spec.held === undefined ? Object.assign({}, spec, { held: networkOff }) : spec;
    if (spec.held?.kind !== "network-off") return spec;
    const { held: _, ...free } = spec;
    return free;
  });
}
