import type { ServerPlan } from "../../machines/contract.js";
import type { ServerSpec } from "../../spec.js";

/** How long calls in flight may still end when a life is replaced (design 4). */
const drainMs = 10_000;

/** The part of a spec that its machine needs. */
export function planOf(spec: ServerSpec): ServerPlan {
  const { enabled, lazy, restart, connectTimeoutMs, idleTimeoutMs, maxLifetimeMs, held, target } = spec;
  return {
    enabled,
    lazy,
    restart,
    connectTimeoutMs,
    drainMs,
    overlaps: target.kind === "http",
    remote: target.kind !== "stdio",
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    ...(maxLifetimeMs === undefined ? {} : { maxLifetimeMs }),
    ...(held === undefined ? {} : { held: { kind: held.kind, message: held.message } }),
  };
}
