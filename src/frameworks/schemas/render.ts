import { isObject } from "./node.js";
import type { ProviderRules } from "./rules.js";

/** The last touches of a provider: words it writes in its own way. */
export function render(schema: Record<string, unknown>, rules: ProviderRules): Record<string, unknown> {
  if (!rules.upperCaseTypes.is && rules.closes.is) return schema;
  return walk(schema, (each) => {
    if (rules.upperCaseTypes.is && typeof each["type"] === "string")
      each["type"] = each["type"].toUpperCase();
    if (!rules.closes.is && each["additionalProperties"] === false) delete each["additionalProperties"];
  });
}

/** The same in words of JSON Schema, for a validator: OpenAPI's `nullable` is none of them. */
export function plain(schema: Record<string, unknown>): Record<string, unknown> {
  return walk(schema, (each) => {
    if (each["nullable"] !== true) return;
    delete each["nullable"];
    const copy = { ...each };
    for (const key of Object.keys(each)) delete each[key];
    each["anyOf"] = [copy, { type: "null" }];
  });
}

/** A copy in which every schema was touched once, inner ones first. Names of properties are no schemas. */
function walk(
  schema: Record<string, unknown>,
  touch: (schema: Record<string, unknown>) => void,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = inner(key, value, touch);
  touch(copy);
  return copy;
}

function inner(key: string, value: unknown, touch: (schema: Record<string, unknown>) => void): unknown {
  if (key === "properties" || key === "$defs") {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isObject(each) ? walk(each, touch) : each]),
    );
  }
  if (key === "items" || key === "additionalProperties") return isObject(value) ? walk(value, touch) : value;
  if (key === "anyOf" || key === "prefixItems") {
    return Array.isArray(value) ? value.map((each) => (isObject(each) ? walk(each, touch) : each)) : value;
  }
  return value;
}
