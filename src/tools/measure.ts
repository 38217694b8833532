/** Size of a value as compact JSON in UTF-8, and how deep lists and objects are nested in it. */
export interface Measure {
  readonly bytes: number;
  readonly depth: number;
}

/**
 * Measures a JSON value without building its text. The walk ends early once a limit is passed; the number that passed
 * it is then only known to be over.
 */
export function measure(value: unknown, limits: Measure): Measure {
  const walk = { bytes: 0, depth: 0, limits };
  visit(value, 1, walk);
  return { bytes: walk.bytes, depth: walk.depth };
}

interface Walk {
  bytes: number;
  depth: number;
  readonly limits: Measure;
}

function visit(value: unknown, depth: number, walk: Walk): void {
  if (typeof value !== "object" || value === null) {
    walk.bytes += typeof value === "string" ? textBytes(value) : String(value).length;
    return;
  }
  walk.depth = Math.max(walk.depth, depth);
  const list = Array.isArray(value);
  // Brackets and commas.
  walk.bytes += 1;
  for (const key in value) {
    if (walk.bytes > walk.limits.bytes || walk.depth > walk.limits.depth) return;
    walk.bytes += list ? 1 : textBytes(key) + 2;
    visit(Reflect.get(value, key), depth + 1, walk);
  }
  walk.bytes += Object.keys(value).length === 0 ? 1 : 0;
}

const plain = /^[ !#-[\]-~]*$/;

function textBytes(text: string): number {
  if (plain.test(text)) return text.length + 2;
  let bytes = 2;
  for (const character of JSON.stringify(text).slice(1, -1)) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
