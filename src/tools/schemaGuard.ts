import { isTame } from "./tamePattern.js";

/** Thrown out of a validation that costs more than a result is worth. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** A copy of a hostile schema that can be evaluated: it counts its own evaluations and ends what takes too long. */
export interface GuardedSchema {
  readonly kind: "guarded";
  readonly schema: object;
  readonly lookup: Record<string, object | boolean>;
  /** Before each validation: sets the budget, and throws OverBudget for a value too large to check. */
  begin(value: unknown): void;
}

/** The validator's walk over a schema, which finds the targets of all `$ref`. */
type Dereference = (schema: never) => Record<string, unknown>;

// About 1 µs each: a check never holds the event loop for longer than about a tenth of a second.
const mostEvaluations = 100_000;
const deepest = 64;
const longestMatched = 2_000;
const mostUnique = 1_000;
const mostPatterns = 16;

interface Guard {
  spent: number;
  hasPattern: boolean;
  hasUnique: boolean;
  readonly refs: Record<string, unknown>[];
}

/**
 * Copies a schema for the validator, which writes into what it is given and has no bounds of its own. `format` is an
 * annotation and left out (2020-12, 7.2.1), so are patterns that could run for ever. Refused with the reason: types that
 * do not exist, a `$ref` that leads nowhere, too much depth.
 */
export function guardSchema(
  schema: unknown,
  dereference: Dereference,
): GuardedSchema | { readonly kind: "refused"; readonly reason: string } {
  const guard: Guard = { spent: 0, hasPattern: false, hasUnique: false, refs: [] };
  try {
    const copy = guardNode(schema, guard, 0) as object;
    const lookup = dereference(copy as never) as Record<string, object | boolean>;
    const dead = guard.refs.find((node) => lookup[String(node["__absolute_ref__"])] === undefined);
    if (dead !== undefined) {
      return refuse(`has a $ref that leads nowhere in it (${JSON.stringify(dead["$ref"]).slice(0, 100)})`);
    }
    return { kind: "guarded", schema: copy, lookup, begin: (value) => begin(value, guard) };
  } catch (error) {
    return refuse(error instanceof OverBudget ? error.message : "cannot be compiled");
  }
}

function refuse(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason: `outputSchema ${reason}` };
}

const asIs = words(
  "$id id $schema $anchor $vocabulary $comment $ref $recursiveRef default examples enum const required " +
    "dependentRequired type maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength " +
    "maxItems minItems uniqueItems maxProperties minProperties maxContains minContains",
);
const inLists = words("prefixItems items allOf anyOf oneOf");
const inMaps = words("$defs definitions properties patternProperties dependentSchemas dependencies");
const types = words("array boolean integer null number object string");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

function guardNode(schema: unknown, guard: Guard, depth: number): unknown {
  if (depth > deepest) throw new OverBudget("is nested too deep");
  // Boolean schemas become objects, because only objects are counted.
  if (schema === true) return counted({}, {}, guard);
  if (schema === false) return counted({ not: counted({}, {}, guard) }, {}, guard);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const node = schema as Record<string, unknown>;
  checkTypes(node["type"]);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(node)) {
    if (key === "__proto__" || key === "format" || key === "$recursiveAnchor") continue;
    const value = guardKeyword(key, node[key], guard, depth);
    if (value !== undefined) copy[key] = value;
  }
  if (typeof copy["$ref"] === "string") guard.refs.push(copy);
  guard.hasUnique ||= copy["uniqueItems"] === true;
  return counted(copy, node, guard);
}

function guardKeyword(key: string, value: unknown, guard: Guard, depth: number): unknown {
  if (asIs.has(key)) return value;
  if (key === "pattern") {
    if (!isTame(value)) return undefined;
    guard.hasPattern = true;
    return value;
  }
  if (Array.isArray(value)) {
    return inLists.has(key) ? value.map((each) => guardNode(each, guard, depth + 1)) : value;
  }
  if (!inMaps.has(key) || typeof value !== "object" || value === null)
    return guardNode(value, guard, depth + 1);
  const fields = Object.entries(value).filter(([name]) => name !== "__proto__");
  if (key === "patternProperties") {
    if (fields.length > mostPatterns || !fields.every(([pattern]) => isTame(pattern))) {
      throw new OverBudget("has patterns that cost too much to match");
    }
    guard.hasPattern = true;
  }
  return Object.fromEntries(fields.map(([name, each]) => [name, guardNode(each, guard, depth + 1)]));
}

function checkTypes(type: unknown): void {
  for (const each of Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type]) {
    if (typeof each === "string" && types.has(each)) continue;
    throw new OverBudget(`names a type that does not exist (${JSON.stringify(each).slice(0, 100)})`);
  }
}

/** The validator reads `$recursiveAnchor` of each schema it evaluates, once: that is where the count is kept. */
function counted(copy: object, node: Record<string, unknown>, guard: Guard): object {
  const anchor = node["$recursiveAnchor"];
  let cost = 1;
  for (const value of Object.values(copy) as unknown[]) {
    if (typeof value === "object" && value !== null) cost += Object.keys(value).length / 8;
  }
  return Object.defineProperty(copy, "$recursiveAnchor", {
    enumerable: false,
    get: () => {
      guard.spent += cost;
      if (guard.spent > mostEvaluations) throw new OverBudget("outputSchema costs too much to evaluate");
      return anchor;
    },
  });
}

function begin(value: unknown, guard: Guard): void {
  guard.spent = 0;
  if (guard.hasPattern || guard.hasUnique) measure(value, guard);
}

function measure(value: unknown, guard: Guard): void {
  if (typeof value === "string") {
    if (guard.hasPattern && value.length > longestMatched) tooLarge("has a text too long to match a pattern");
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const list = Array.isArray(value);
  if (list && guard.hasUnique && value.length > mostUnique)
    tooLarge("has a list too long to look for doubles");
  for (const [key, each] of Object.entries(value)) {
    if (!list) measure(key, guard);
    measure(each, guard);
  }
}

function tooLarge(what: string): never {
  throw new OverBudget(`structured content ${what}`);
}
