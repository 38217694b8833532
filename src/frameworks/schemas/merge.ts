import type { Node, TypeName } from "./node.js";
import type { AnySchema } from "../contract/schema.js";

/** The node of what fits both. `lose` hears of a keyword of which only one side could be kept. */
export function intersect(a: Node, b: Node, lose: (keyword: string, value: unknown) => void): Node {
  const node: Node = {
    properties: mergeProperties(a, b),
    required: new Set([...a.required, ...b.required]),
    patterns: [...a.patterns, ...b.patterns],
    sealed: a.sealed || b.sealed,
    unions: [...a.unions, ...b.unions],
    parts: [...a.parts, ...b.parts],
    limits: mergeLimits(a.limits, b.limits, lose),
    odd: [...a.odd, ...b.odd],
    notes: { ...b.notes, ...a.notes },
    origins: [...a.origins, ...b.origins],
  };
  const types = mergeTypes(a.types, b.types);
  if (types !== undefined) node.types = types;
  const choices = mergeChoices(a.choices, b.choices);
  if (choices !== undefined) node.choices = choices;
  const rest = both(a.rest, b.rest);
  if (rest !== undefined) node.rest = rest;
  if ((a.patterns.length > 0 || b.patterns.length > 0) && rest !== undefined) {
    lose("patternProperties", Object.fromEntries([...a.patterns, ...b.patterns]));
  }
  mergeItems(a, b, node);
  const ref = a.ref ?? b.ref;
  if (ref !== undefined) node.ref = ref;
  if (a.ref !== undefined && b.ref !== undefined) node.parts = [...node.parts, { $ref: b.ref }];
  return node;
}

function mergeProperties(a: Node, b: Node): Map<string, AnySchema> {
  const merged = new Map<string, AnySchema>();
  for (const name of new Set([...a.properties.keys(), ...b.properties.keys()])) {
    merged.set(name, both(ofKey(a, name), ofKey(b, name)) ?? true);
  }
  return merged;
}

/** What a node says about the value of a key. */
function ofKey(node: Node, name: string): AnySchema | undefined {
  const own = node.properties.get(name);
  if (own !== undefined) return own;
  // Patterns are judged where the object is written; a key that one of them may name is not the rest's.
  return node.patterns.length > 0 ? undefined : node.rest;
}

export function both(a: AnySchema | undefined, b: AnySchema | undefined): AnySchema | undefined {
  if (a === undefined || a === true) return b ?? a;
  if (b === undefined || b === true) return a;
  if (a === false || b === false) return false;
  return JSON.stringify(a) === JSON.stringify(b) ? a : { allOf: [a, b] };
}

function mergeTypes(
  a: ReadonlySet<TypeName> | undefined,
  b: ReadonlySet<TypeName> | undefined,
): ReadonlySet<TypeName> | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const kept = new Set<TypeName>();
  for (const type of a) {
    if (b.has(type) || (type === "integer" && b.has("number"))) kept.add(type);
    else if (type === "number" && b.has("integer")) kept.add("integer");
  }
  return kept;
}

function mergeChoices(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined) {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const known = new Set(b.map((each) => JSON.stringify(each)));
  return a.filter((each) => known.has(JSON.stringify(each)));
}

function mergeItems(a: Node, b: Node, node: Node): void {
  const length = Math.max(a.prefix?.length ?? 0, b.prefix?.length ?? 0);
  if (length > 0) {
    node.prefix = Array.from(
      { length },
      (_, at) => both(a.prefix?.[at] ?? a.items, b.prefix?.[at] ?? b.items) ?? true,
    );
  }
  const items = both(a.items, b.items);
  if (items !== undefined) node.items = items;
}

const lower = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const upper = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);

function mergeLimits(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  lose: (keyword: string, value: unknown) => void,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const other = merged[name];
    if (other === undefined || other === value) merged[name] = value;
    else if (lower.has(name)) merged[name] = Math.max(other as number, value as number);
    else if (upper.has(name)) merged[name] = Math.min(other as number, value as number);
    else lose(name, value);
  }
  return merged;
}
