import type { ServerSpec } from "../../spec.js";
import { secretsOf } from "../fields/target.js";
import { fingerprintOf } from "./fingerprint.js";

/** The specs with the proxy of the settings in every entry with a url that names none of its own. */
export function withProxy(
  specs: readonly ServerSpec[],
  proxy: string | false | undefined,
): readonly ServerSpec[] {
  if (proxy === undefined) return specs;
  return specs.map((spec) => {
    if (spec.target.kind === "stdio" || spec.target.proxy !== undefined) return spec;
    const target = { ...spec.target, proxy };
    const secrets = [...new Set([...spec.secrets, ...secretsOf(target)])].filter(Boolean).toSorted();
    const changed = { ...spec, target, secrets };
    return { ...changed, fingerprint: fingerprintOf(changed) };
  });
}
