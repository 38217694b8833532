/** Size of a value as compact JSON in UTF-8, and how deep lists and objects are nested in it. */
export interface Measure {
  readonly bytes: number;
  readonly depth: number;
}

/**
 * Whether a JSON value is within limits, both included. Most values are far below, which a walk over lengths alone
 * shows; only what comes near is measured to the byte.
 */
export function isWithin(value: unknown, limits: Measure): Record<keyof Measure, boolean> {
  const walk = { characters: 0, depth: 0, limits };
  visit(value, 1, walk);
  if (walk.depth > limits.depth) return { bytes: true, depth: false };
  // No character takes more than six bytes (a control character as \u001f).
  if (walk.characters * 6 <= limits.bytes) return { bytes: true, depth: true };
  return { bytes: walk.characters <= limits.bytes && jsonBytes(value) <= limits.bytes, depth: true };
}

interface Walk {
  /** At most the length of the compact JSON; the walk ends early once it is over the limit. */
  characters: number;
  depth: number;
  readonly limits: Measure;
}

function visit(value: unknown, depth: number, walk: Walk): void {
  if (typeof value === "string") {
    walk.characters += value.length + 2;
  } else if (typeof value !== "object" || value === null) {
    walk.characters += typeof value === "number" ? numberLength(value) : 4;
  } else {
    if (depth > walk.depth) walk.depth = depth;
    if (depth > walk.limits.depth || walk.characters > walk.limits.bytes) return;
    if (Array.isArray(value)) visitItems(value, depth, walk);
    else visitFields(value as Readonly<Record<string, unknown>>, depth, walk);
  }
}

function visitItems(list: readonly unknown[], depth: number, walk: Walk): void {
  walk.characters += Math.max(2, list.length + 1);
  for (const item of list) visit(item, depth + 1, walk);
}

function visitFields(fields: Readonly<Record<string, unknown>>, depth: number, walk: Walk): void {
  walk.characters += 2;
  for (const key in fields) {
    walk.characters += key.length + 3;
    visit(fields[key], depth + 1, walk);
  }
}

function numberLength(value: number): number {
  return value >= 0 && value < 10 && Number.isInteger(value) ? 1 : String(value).length;
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
