/** A JSON value as text with sorted keys and no spaces: equal content, equal text (after RFC 8785, 3.2.3). */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value)
    .filter((key) => Reflect.get(value, key) !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(Reflect.get(value, key))}`);
  return `{${fields.join(",")}}`;
}
