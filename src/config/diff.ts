import { canonicalJson } from "./entries/hash.js";
import type { ServerSpec } from "../spec.js";

/** What turns one fleet into another. */
export interface FleetDifference {
  readonly added: readonly ServerSpec[];
  /** Ids. */
  readonly removed: readonly string[];
  /** `renew`: the running process or connection was made from something else and must make way for a new one. */
  readonly changed: readonly { readonly spec: ServerSpec; readonly renew: boolean }[];
  /** Ids of servers that are the same in everything. */
  readonly unchanged: readonly string[];
}

/** Compares two fleets by id; the order of either does not matter, and every id ends in exactly one list. */
export function diffFleets(before: readonly ServerSpec[], after: readonly ServerSpec[]): FleetDifference {
  const old = new Map(before.map((each) => [each.id, each]));
  const added: ServerSpec[] = [];
  const changed: { spec: ServerSpec; renew: boolean }[] = [];
  const unchanged: string[] = [];
  for (const spec of after) {
    const previous = old.get(spec.id);
    old.delete(spec.id);
    if (previous === undefined) added.push(spec);
    else if (canonicalJson(previous) === canonicalJson(spec)) unchanged.push(spec.id);
    else changed.push({ spec, renew: previous.fingerprint !== spec.fingerprint });
  }
  return { added, removed: [...old.keys()], changed, unchanged };
}
