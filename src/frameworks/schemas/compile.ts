import { compileArray } from "./arrays.js";
import { lose } from "./context.js";
import type { Context, Place } from "./context.js";
import { compileChoices } from "./enums.js";
import { flatten } from "./flatten.js";
import { jsonText } from "./jsonText.js";
import { isObject } from "./node.js";
import type { Node, TypeName } from "./node.js";
import { orNull } from "./nullable.js";
import { compileObject } from "./objects.js";
import { compileScalar, families } from "./scalars.js";
import { say, withNotes } from "./say.js";
import type { AnySchema, Part } from "../contract/schema.js";
import { anyOf, compileUnion } from "./unions.js";

const mostParts = 5000;
const unrolled = 2;

/** Writes one schema by the provider's rules. Nothing when no value fits it. */
export function compile(schema: AnySchema, place: Place, ctx: Context): Part | undefined {
  if (schema === false) return undefined;
  ctx.counts.parts++;
  if (ctx.counts.parts > mostParts || place.depth > ctx.rules.depth.is) return tooDeep(schema, place, ctx);
  const ref = pureReference(schema, ctx);
  if (ref === undefined) {
    const node = flatten(schema, ctx, place);
    return node && compileNode(node, place, ctx);
  }
  if (ctx.rules.refs.is === "recursive") return referred(ref, place, ctx);
  const times = place.inlined.filter((each) => each === ref).length;
  if (times >= unrolled) return tooDeep(schema, place, ctx);
  const target = flatten(schema, ctx, place);
  return target && compileNode(target, { ...place, inlined: [...place.inlined, ref] }, ctx);
}

/** A node whose references are merged. */
export function compileNode(node: Node, place: Place, ctx: Context): Part | undefined {
  for (const [keyword, value] of node.choices === undefined ? node.odd : []) {
    lose(ctx, place, keyword, value, say(keyword, value));
  }
  const part =
    node.choices !== undefined
      ? compileChoices(node, place, ctx)
      : node.unions.length > 0
        ? compileUnion({ ...node, odd: [] }, place, ctx)
        : compileTypes(node, place, ctx);
  return part && described(part, node, place, ctx);
}

function compileTypes(node: Node, place: Place, ctx: Context): Part | undefined {
  const types = node.types ?? typesByKeywords(node);
  if (types === undefined) return ctx.rules.untyped.is ? { schema: {} } : jsonText();
  const parts = [...types]
    .filter((type) => type !== "null" && !(type === "integer" && types.has("number")))
    .map((type) => compileType(type, node, place, ctx))
    .filter((part) => part !== undefined);
  const nullable = types.has("null");
  if (parts.length === 0) return nullable ? compileScalar("null", node, place, ctx) : undefined;
  const one = oneSchema(parts, ctx) ?? anyOf(parts, ctx);
  return nullable ? orNull(one, ctx.rules) : one;
}

function compileType(type: TypeName, node: Node, place: Place, ctx: Context): Part | undefined {
  if (type === "object") return compileObject(node, place, ctx);
  if (type === "array") return compileArray(node, place, ctx);
  return compileScalar(type, node, place, ctx);
}

/** Several types in one schema, where keywords of each are only for that type. */
function oneSchema(parts: readonly Part[], ctx: Context): Part | undefined {
  if (parts.length < 2 || !ctx.rules.typeLists.is || parts.some((part) => part.back !== undefined))
    return undefined;
  if (ctx.rules.closed.is && parts.some((part) => part.schema["type"] === "object")) return undefined;
  return {
    schema: {
      ...Object.assign({}, ...parts.map((part) => part.schema)),
      type: parts.map((part) => part.schema["type"]),
    },
  };
}

/** What a schema without `type` is about; a forgotten type is far more common than a meant one. */
function typesByKeywords(node: Node): ReadonlySet<TypeName> | undefined {
  const types = new Set<TypeName>();
  if (
    node.properties.size + node.required.size + node.patterns.length > 0 ||
    node.rest !== undefined ||
    node.sealed
  ) {
    types.add("object");
  }
  if (node.prefix !== undefined || node.items !== undefined) types.add("array");
  for (const [type, names] of Object.entries(families)) {
    if (names.some((name) => name in node.limits)) types.add(type as TypeName);
  }
  return types.size > 0 ? types : undefined;
}

/** The reference, when a schema says nothing else and what it means contains itself. */
function pureReference(schema: AnySchema, ctx: Context): string | undefined {
  if (!isObject(schema) || typeof schema["$ref"] !== "string" || !ctx.refs.recursive(schema["$ref"]))
    return undefined;
  const more = Object.keys(schema).filter(
    (key) => !/^(?:\$ref|\$comment|title|description|default|examples)$/.test(key),
  );
  return ctx.legacy || more.length === 0 ? schema["$ref"] : undefined;
}

/** A recursive schema is compiled once and referred to. */
function referred(ref: string, place: Place, ctx: Context): Part {
  let definition = ctx.definitions.get(ref);
  if (definition === undefined) {
    const name = `${(ref.split("/").at(-1) ?? "").replace(/[^a-zA-Z0-9_]/g, "") || "root"}_${ctx.definitions.size + 1}`;
    definition = { name };
    ctx.definitions.set(ref, definition);
    const node = flatten({ $ref: ref }, ctx, place);
    const start: Place = { path: place.path, depth: place.depth, inlined: [], notes: [] };
    definition.part = (node && compileNode(node, start, ctx)) ?? { schema: { type: "string", enum: [""] } };
  }
  const found = definition;
  return {
    schema: { $ref: `#/$defs/${found.name}` },
    // Known only when the whole definition is.
    back: (value) => (found.part?.back === undefined ? value : found.part.back(value)),
  };
}

function tooDeep(schema: AnySchema, place: Place, ctx: Context): Part {
  lose(ctx, place, "depth", null, "Nested deeper than the schema shows.");
  const said =
    isObject(schema) && typeof schema["description"] === "string" ? schema["description"] : undefined;
  return jsonText(said === undefined ? undefined : `${said}\nA JSON value`);
}

function described(part: Part, node: Node, place: Place, ctx: Context): Part {
  if ("$ref" in part.schema) return part;
  const { description, title, examples } = node.notes;
  const own = part.schema["description"];
  const notes = typeof own === "string" ? [own, ...place.notes] : [...place.notes];
  const schema = { ...part.schema };
  const value = node.notes["default"];
  if (value !== undefined) {
    if (ctx.rules.defaults.is && part.back === undefined) schema["default"] = value;
    else notes.push(say("default", value));
  }
  if (Array.isArray(examples) && ctx.rules.defaults.is && part.back === undefined)
    schema["examples"] = examples;
  const text = withNotes(description ?? (tellsMore(title, place) ? title : undefined), notes);
  if (text !== undefined) schema["description"] = text;
  return { schema, back: part.back };
}

/** Generators title each property with its own name. */
function tellsMore(title: unknown, place: Place): boolean {
  return (
    typeof title === "string" && place.depth > 0 && plain(title) !== plain(place.path.split("/").at(-1) ?? "")
  );
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
