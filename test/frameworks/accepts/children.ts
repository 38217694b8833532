export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every schema directly below, with the steps that lead there. */
export function children(schema: Record<string, unknown>): [string[], Record<string, unknown>][] {
  const found: [string[], unknown][] = [];
  for (const word of ["properties", "$defs", "patternProperties"]) {
    if (isObject(schema[word]))
      for (const [name, each] of Object.entries(schema[word])) found.push([[word, name], each]);
  }
  for (const word of ["items", "additionalProperties", "not"]) found.push([[word], schema[word]]);
  for (const word of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    if (Array.isArray(schema[word])) for (const each of schema[word]) found.push([[word], each]);
  }
  return found.filter((each): each is [string[], Record<string, unknown>] => isObject(each[1]));
}
