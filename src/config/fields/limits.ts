import type { FieldContext, Fields } from "./fields.js";
import { group, noteUnknown, tell } from "./fields.js";
import type { Limits } from "../../spec.js";
import { defaultLimits } from "../../spec.js";

const names = Object.keys(defaultLimits) as (keyof Limits)[];

/** The limits of one server: the defaults, over them the fleet's, over them the entry's own. */
export function readLimits(context: FieldContext, fields: Fields, fleet: Partial<Limits> = {}): Limits {
  const own = group(context, fields, "limits") ?? {};
  const result: Record<keyof Limits, number> = { ...defaultLimits };
  for (const name of names) {
    const value = own[name] ?? fleet[name];
    if (value === undefined) continue;
    const least = name === "queued" || name === "stderrLines" ? 0 : 1;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) result[name] = value;
    else tell(context, `limits.${name}`, `must be a whole number of at least ${least}`);
  }
  noteUnknown(context, own, names, "limits.");
  return result;
}
