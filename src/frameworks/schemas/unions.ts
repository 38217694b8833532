import { beside, lose } from "./context.js";
import type { Context, Place } from "./context.js";
import { flatten } from "./flatten.js";
import { intersect } from "./merge.js";
import { isObject, readNode } from "./node.js";
import type { Node } from "./node.js";
import { orNull } from "./nullable.js";
import { say } from "./say.js";
import type { AnySchema, Part } from "../contract/schema.js";

/** `anyOf` and `oneOf`: each branch is written out together with what stands beside the union. */
export function compileUnion(node: Node, place: Place, ctx: Context): Part | undefined {
  const [union, ...later] = node.unions;
  const base: Node = { ...node, unions: later, notes: {} };
  if (tooWide(node)) return spokenUnions(node, place, ctx);
  const branches = union!.branches.flatMap((branch) => {
    const read = flatten(branch, ctx, place);
    return read === undefined
      ? []
      : [intersect(base, read, (key, value) => lose(ctx, place, key, value, say(key, value)))];
  });
  if (union!.exclusive && !apart(branches)) lose(ctx, place, "oneOf", null, say("oneOf", null));
  const nulls = branches.filter(isNull);
  const parts = branches
    .filter((branch) => !isNull(branch))
    .map((branch) => ctx.compileNode(branch, beside(place)))
    .filter((part) => part !== undefined);
  if (parts.length === 0) return nulls[0] && ctx.compileNode(nulls[0], place);
  const one = anyOf(parts, ctx);
  return nulls.length > 0 ? orNull(one, ctx.rules) : one;
}

/** One of several parts; what comes back is turned by the first that fits. */
export function anyOf(parts: readonly Part[], ctx: Context): Part {
  const distinct = new Map<string, Part>();
  for (const part of parts) {
    const text = JSON.stringify(part.schema);
    if (part.back !== undefined || !distinct.has(text))
      distinct.set(part.back === undefined ? text : `${distinct.size} ${text}`, part);
  }
  const all = [...distinct.values()];
  if (all.length === 1) return all[0]!;
  const schema = { anyOf: all.map((part) => part.schema) };
  if (all.every((part) => part.back === undefined)) return { schema };
  return {
    schema,
    back: (value) => {
      const part = all.find((each) => ctx.fits(each.schema, value));
      return part?.back === undefined ? value : part.back(value);
    },
  };
}

/** Beyond this, what is written out grows past its use; it is said instead. */
const mostBranches = 32;
const mostProperties = 40;

function tooWide(node: Node): boolean {
  const count = node.unions.reduce((product, each) => product * each.branches.length, 1);
  if (count > mostBranches) return true;
  const hollow = node.unions.every((each) =>
    each.branches.every((branch) => onlyRequires(branch) !== undefined),
  );
  return hollow && node.properties.size * count > mostProperties;
}

function spokenUnions(node: Node, place: Place, ctx: Context): Part | undefined {
  for (const { branches } of node.unions) {
    const demands = branches.map(onlyRequires);
    const sentence = demands.every((each) => each !== undefined)
      ? say("required", demands)
      : say("anyOf", branches);
    lose(ctx, place, "anyOf", branches, sentence);
  }
  return ctx.compileNode({ ...node, unions: [] }, place);
}

/** The names, when a branch says no more than what is required. */
function onlyRequires(branch: AnySchema): readonly string[] | undefined {
  if (!isObject(branch)) return undefined;
  const keys = Object.keys(branch).filter(
    (key) => key !== "type" && key !== "description" && key !== "title",
  );
  return keys.length === 1 && keys[0] === "required" ? [...readNode(branch).required] : undefined;
}

function isNull(node: Node): boolean {
  return (
    node.types?.size === 1 && node.types.has("null") && node.unions.length === 0 && node.choices === undefined
  );
}

/** Whether no value can fit two of the branches: other types, or other values of one required property. */
function apart(branches: readonly Node[]): boolean {
  return branches.every((a, at) => branches.slice(at + 1).every((b) => differ(a, b)));
}

function differ(a: Node, b: Node): boolean {
  if (a.types !== undefined && b.types !== undefined && !overlap(a, b)) return true;
  if (disjoint(a.choices, b.choices)) return true;
  // Two objects are apart when a property that both require has other choices in each.
  const objects = [a, b].every((each) => each.types?.size === 1 && each.types.has("object"));
  if (!objects) return false;
  const shared = [...a.required].filter((name) => b.required.has(name));
  return shared.some((name) => disjoint(choicesOf(a, name), choicesOf(b, name)));
}

function overlap(a: Node, b: Node): boolean {
  const other = wide(b);
  return [...wide(a)].some((type) => other.has(type));
}

function wide({ types }: Node): ReadonlySet<string> {
  return new Set([...(types ?? [])].map((type) => (type === "integer" ? "number" : type)));
}

function choicesOf(node: Node, name: string): readonly unknown[] | undefined {
  const schema = node.properties.get(name);
  return isObject(schema) ? readNode(schema).choices : undefined;
}

function disjoint(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const known = new Set(b.map((each) => JSON.stringify(each)));
  return a.every((each) => !known.has(JSON.stringify(each)));
}
