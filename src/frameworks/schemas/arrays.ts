import { below, lose } from "./context.js";
import type { Context, Place } from "./context.js";
import { only } from "./jsonText.js";
import { isObject } from "./node.js";
import type { Node } from "./node.js";
import { orNull } from "./nullable.js";
import { families, keepLimits } from "./scalars.js";
import type { AnySchema, Back, Part } from "../contract/schema.js";

/** Lists and tuples. Nothing when no list fits. */
export function compileArray(node: Node, place: Place, ctx: Context): Part | undefined {
  if (node.prefix === undefined) return list(node, node.items ?? true, place, ctx);
  return ctx.rules.tuples.is
    ? tuple(node, node.prefix, place, ctx)
    : tupleAsObject(node, node.prefix, place, ctx);
}

function list(node: Node, items: AnySchema, place: Place, ctx: Context): Part | undefined {
  const part = ctx.compile(items, below(place, "*"));
  if (part === undefined) {
    if (minimum(node) > 0) return undefined;
    return only([]);
  }
  const schema = { type: "array", items: part.schema, ...keepLimits(families.array, node, place, ctx) };
  return { schema, back: part.back && each(part.back) };
}

function each(back: Back): Back {
  return (value) => (Array.isArray(value) ? value.map((item) => back(item)) : value);
}

function tuple(node: Node, prefix: readonly AnySchema[], place: Place, ctx: Context): Part | undefined {
  const parts = firstParts(prefix, place, ctx);
  if (parts.length < Math.min(minimum(node), prefix.length)) return undefined;
  const rest = parts.length < prefix.length ? undefined : restOf(node, prefix, place, ctx);
  const limits = keepLimits(families.array, node, place, ctx);
  if (rest === undefined) {
    if (minimum(node) > parts.length) return undefined;
    limits["maxItems"] = Math.min(parts.length, Number(limits["maxItems"] ?? parts.length));
  }
  const schema: Record<string, unknown> = {
    type: "array",
    prefixItems: parts.map((part) => part.schema),
    ...limits,
  };
  if (rest !== undefined) schema["items"] = rest.schema;
  if ([...parts, rest].every((part) => part?.back === undefined)) return { schema };
  const back: Back = (value) =>
    Array.isArray(value) ? value.map((item, at) => ((parts[at] ?? rest)?.back ?? same)(item)) : value;
  return { schema, back };
}

const same: Back = (value) => value;

/** Where tuples cannot be said: an object with one key per place. */
function tupleAsObject(
  node: Node,
  prefix: readonly AnySchema[],
  place: Place,
  ctx: Context,
): Part | undefined {
  const least = minimum(node);
  const most = Math.min(prefix.length, Number(node.limits["maxItems"] ?? prefix.length));
  const parts = firstParts(prefix.slice(0, most), place, ctx);
  if (parts.length < Math.min(least, prefix.length)) return undefined;
  const rest =
    parts.length < prefix.length || most < prefix.length ? undefined : restOf(node, prefix, place, ctx);
  if (rest === undefined && least > parts.length) return undefined;

  if (parts.length === 0 && rest === undefined) return only([]);

  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [at, part] of parts.entries()) {
    const must = at < least;
    properties[`item${at + 1}`] =
      must || !ctx.rules.allRequired.is ? part.schema : orNull(part, ctx.rules).schema;
    if (must || ctx.rules.allRequired.is) required.push(`item${at + 1}`);
  }
  if (rest !== undefined) {
    const limits: Record<string, unknown> = {};
    if (least > prefix.length) limits["minItems"] = least - prefix.length;
    if (typeof node.limits["maxItems"] === "number")
      limits["maxItems"] = node.limits["maxItems"] - prefix.length;
    const kept = keepLimits(families.array, { ...node, limits }, place, ctx);
    properties["rest"] = { type: "array", items: rest.schema, ...kept };
    if (least > prefix.length || ctx.rules.allRequired.is) required.push("rest");
  }
  if (node.limits["uniqueItems"] === true) lose(ctx, place, "uniqueItems", true, "No item twice.");
  ctx.counts.properties += Object.keys(properties).length;
  place.notes.push("A list, with one key for each of its places.");
  const schema: Record<string, unknown> = { type: "object", properties, required };
  if (ctx.rules.closes.is) schema["additionalProperties"] = false;
  return { schema, back: (value) => fromObject(value, parts, rest, least) };
}

function fromObject(value: unknown, parts: readonly Part[], rest: Part | undefined, least: number): unknown {
  if (!isObject(value)) return value;
  const found: unknown[] = [];
  for (const [at, part] of parts.entries()) {
    const item = value[`item${at + 1}`];
    if (item === undefined || (item === null && at >= least)) return found;
    found.push((part.back ?? same)(item));
  }
  const more = value["rest"];
  if (rest !== undefined && Array.isArray(more)) found.push(...more.map((item) => (rest.back ?? same)(item)));
  return found;
}

/** The places up to the first one that nothing fits. */
function firstParts(prefix: readonly AnySchema[], place: Place, ctx: Context): Part[] {
  const parts: Part[] = [];
  for (const [at, schema] of prefix.entries()) {
    const part = ctx.compile(schema, below(place, String(at)));
    if (part === undefined) break;
    parts.push(part);
  }
  return parts;
}

/** What may follow a tuple: only what is said, or must be there. */
function restOf(node: Node, prefix: readonly AnySchema[], place: Place, ctx: Context): Part | undefined {
  const said = node.items !== undefined && node.items !== true;
  if (!said && minimum(node) <= prefix.length) return undefined;
  return ctx.compile(node.items ?? true, below(place, "*"));
}

function minimum(node: Node): number {
  const least = node.limits["minItems"];
  return typeof least === "number" ? least : 0;
}
