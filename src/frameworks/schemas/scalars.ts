import { lose } from "./context.js";
import type { Context, Place } from "./context.js";
import type { Node, TypeName } from "./node.js";
import { say } from "./say.js";
import type { Part } from "../contract/schema.js";

export const families: Readonly<Record<"string" | "number" | "array" | "object", readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties"],
};

/** Texts, numbers, truth values and null. */
export function compileScalar(type: TypeName, node: Node, place: Place, ctx: Context): Part {
  if (type === "null" && ctx.rules.nulls.is === "flag") {
    return { schema: { type: "string", enum: ["null"] }, back: (value) => (value === "null" ? null : value) };
  }
  const family =
    type === "string" ? families.string : type === "boolean" || type === "null" ? [] : families.number;
  return { schema: { type, ...keepLimits(family, node, place, ctx) } };
}

/** The limits of a family that the provider takes; the others are said. */
export function keepLimits(
  family: readonly string[],
  node: Node,
  place: Place,
  ctx: Context,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of family) {
    const value = node.limits[name];
    if (value === undefined) continue;
    if (takes(name, value, ctx)) kept[name] = value;
    else {
      if (name === "minItems" && ctx.rules.keywords.is.has(name)) kept[name] = ctx.rules.minItemsMost.is;
      lose(ctx, place, name, value, say(name, value));
    }
  }
  return kept;
}

function takes(name: string, value: unknown, { rules }: Context): boolean {
  if (!rules.keywords.is.has(name)) return false;
  if (name === "format") return rules.formats.is === undefined || rules.formats.is.has(value as string);
  if (name === "minItems") return (value as number) <= rules.minItemsMost.is;
  // Constrained decoding knows no look-around.
  if (name === "pattern" && rules.closed.is) return !/\(\?[=!<]/.test(value as string);
  return true;
}
