import { canonicalJson, shortHash } from "./hash.js";
import type { ServerSpec } from "../../spec.js";

/**
 * A stable hash of what a running process or connection was made from: the target with its values, what it may see, and
 * the limits its connection reads once. Equal fingerprints, same process; names, times and permissions may differ.
 */
export function fingerprintOf(
  spec: Pick<ServerSpec, "target" | "trusted" | "limits" | "protocolVersion">,
): string {
  // These apply to calls, not to a connection: they change without a new life.
  const { inFlight: _, queued: __, resultChars: ___, ...limits } = spec.limits;
  return shortHash(
    canonicalJson({ target: spec.target, trusted: spec.trusted, limits, version: spec.protocolVersion }),
  );
}
