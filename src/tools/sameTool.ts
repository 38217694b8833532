/** Whether two definitions say the same, whatever the order of their keys. */
export function sameTool(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return !Array.isArray(b) && sameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (!sameTool(a[at], b[at])) return false;
  }
  return true;
}

function sameFields(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const key in a) {
    const other = b[key];
    // A key that is not there must not be found on the prototype.
    if (other === undefined || !Object.hasOwn(b, key) || !sameTool(a[key], other)) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}
