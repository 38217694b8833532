import { below, lose, narrow } from "./context.js";
import type { Context, Place } from "./context.js";
import { entriesOf } from "./entries.js";
import { only } from "./jsonText.js";
import { keyFor } from "./keys.js";
import { both } from "./merge.js";
import type { Node } from "./node.js";
import { orNull } from "./nullable.js";
import { objectBack } from "./objectBack.js";
import type { Slot } from "./objectBack.js";
import { families, keepLimits } from "./scalars.js";
import { say } from "./say.js";
import type { AnySchema, Part } from "../contract/schema.js";

/** Objects: named properties, and what may stand beside them. Nothing when no object fits. */
export function compileObject(node: Node, place: Place, ctx: Context): Part | undefined {
  const rest = node.rest ?? (node.sealed ? false : undefined);
  const values = valuesOf(node, rest, place, ctx);
  const named = new Set([...node.properties.keys(), ...node.required]);
  if (named.size === 0 && values !== undefined && !ctx.rules.maps.is)
    return asEntries(values, node, place, ctx);
  if (
    named.size === 0 &&
    rest !== false &&
    values === undefined &&
    place.depth > 0 &&
    !ctx.rules.openObjects.is
  ) {
    return asEntries(true, node, place, ctx);
  }

  const slots = new Map<string, Slot>();
  const hidden = new Set<string>();
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const name of named) {
    const must = node.required.has(name);
    const part = ctx.compile(schemaOfKey(node, name, rest), below(place, name));
    if (part === undefined) {
      if (must) return undefined;
      hidden.add(name);
      continue;
    }
    const key = keyFor(name, ctx.rules.propertyName.is, new Set(Object.keys(properties)));
    if (key !== name) hidden.add(name);
    const optional = ctx.rules.allRequired.is && !must;
    if (optional && ctx.fits(part.schema, null)) {
      narrow(ctx, place, "required", `"${name}" cannot be given as null: null means left out`);
    }
    const shown = optional ? orNull(part, ctx.rules) : part;
    define(properties, key, key === name ? shown.schema : said(shown.schema, name));
    slots.set(key, { name, back: part.back, leaveOutNull: optional });
    if (must || ctx.rules.allRequired.is) required.push(key);
  }
  for (const key of slots.keys()) hidden.delete(key);
  ctx.counts.properties += slots.size;

  const schema: Record<string, unknown> = { type: "object", properties };
  const others = beyond(schema, values, { slots, required, hidden }, rest, place, ctx);
  if (
    Object.keys(properties).length === 0 &&
    place.depth > 0 &&
    !ctx.rules.openObjects.is &&
    !ctx.rules.closed.is
  ) {
    // Gemini refuses objects without properties below the root.
    return Number(node.limits["minProperties"] ?? 0) > 0 ? undefined : only({});
  }
  if (required.length > 0) schema["required"] = required;
  const back = objectBack(slots, hidden, others);
  // How many keys there are is only sure when none is added, dropped or left out.
  if (back === undefined) Object.assign(schema, keepLimits(families.object, node, place, ctx));
  else sayCounts(node, place, ctx);
  return { schema, back };
}

/** What is said of keys that are not named; nothing when they are free or forbidden. */
function valuesOf(
  node: Node,
  rest: AnySchema | undefined,
  place: Place,
  ctx: Context,
): AnySchema | undefined {
  const beside = rest === true ? undefined : rest;
  if (node.patterns.length === 0) return beside === false ? undefined : beside;
  if (beside === false) lose(ctx, place, "patternProperties", node.patterns, sayKeys(node));
  const all = node.patterns
    .map(([, schema]) => schema)
    .concat(beside === undefined || beside === false ? [] : [beside]);
  return all.reduce<AnySchema | undefined>((sum, each) => both(sum, each), undefined) ?? true;
}

function sayKeys(node: Node): string {
  return `Keys beside the named ones must match ${node.patterns.map(([pattern]) => pattern).join(" or ")}`;
}

function schemaOfKey(node: Node, name: string, rest: AnySchema | undefined): AnySchema {
  let schema = node.properties.get(name);
  for (const [pattern, each] of node.patterns)
    if (matches(pattern, name)) schema = both(schema ?? true, each);
  return schema ?? rest ?? true;
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return false;
  }
}

function sayCounts(node: Node, place: Place, ctx: Context): void {
  for (const name of families.object) {
    const value = node.limits[name];
    if (value !== undefined) lose(ctx, place, name, value, say(name, value));
  }
}

function asEntries(values: AnySchema, node: Node, place: Place, ctx: Context): Part {
  sayCounts(node, place, ctx);
  const part = ctx.compile(values, below(place, "*"));
  // No value fits, so only the object without keys does.
  if (part === undefined) return only({});
  return entriesOf(part);
}

interface Written {
  readonly slots: Map<string, Slot>;
  readonly required: string[];
  readonly hidden: Set<string>;
}

/** Writes what holds for keys that are not named, and tells how they come back. */
function beyond(
  schema: Record<string, unknown>,
  values: AnySchema | undefined,
  { slots, required, hidden }: Written,
  rest: AnySchema | undefined,
  place: Place,
  ctx: Context,
): Parameters<typeof objectBack>[2] {
  const { rules } = ctx;
  if (values === undefined) {
    const shut = rest === false || rules.closed.is;
    return shut ? shutFor(schema, hidden, ctx) : undefined;
  }
  const part = ctx.compile(values, below(place, "*"));
  if (part === undefined || (!rules.maps.is && slots.size > 0 && ctx.counts.parts > partsForRest)) {
    return shutFor(schema, hidden, ctx);
  }
  if (rules.maps.is) {
    schema["additionalProperties"] = part.schema;
    return part.back;
  }
  const key = keyFor("otherFields", undefined, new Set([...slots.keys(), ...hidden]));
  const list = entriesOf(part);
  const shown = rules.allRequired.is ? orNull(list, rules) : list;
  define(schema["properties"] as Record<string, unknown>, key, {
    ...shown.schema,
    description: "Further fields, as a list of their keys and values.",
  });
  if (rules.allRequired.is) required.push(key);
  if (rules.closes.is) schema["additionalProperties"] = false;
  return { key, back: part.back };
}

const partsForRest = 4000;

/** No further keys: said where that can be said, dropped on the way back where not. */
function shutFor(
  schema: Record<string, unknown>,
  hidden: Set<string>,
  { rules }: Context,
): "drop" | undefined {
  if (!rules.closes.is) return "drop";
  schema["additionalProperties"] = false;
  hidden.clear();
  return undefined;
}

function said(schema: Record<string, unknown>, name: string): Record<string, unknown> {
  const before = typeof schema["description"] === "string" ? `${schema["description"]}\n` : "";
  if ("$ref" in schema) return schema;
  return { ...schema, description: `${before}Named ${JSON.stringify(name)} by the tool.` };
}

/** A key such as `__proto__` is a key like any other. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
