import { lose } from "./context.js";
import type { Context, Place } from "./context.js";
import { intersect } from "./merge.js";
import { readNode } from "./node.js";
import type { Node } from "./node.js";
import { say } from "./say.js";
import type { AnySchema } from "../contract/schema.js";

/** One node with its references and its `allOf` merged in; nothing when no value fits. */
export function flatten(schema: AnySchema, ctx: Context, place: Place): Node | undefined {
  if (schema === false) return undefined;
  let node = read(schema, ctx);
  const followed = new Set<string>();
  while (node.ref !== undefined || node.parts.length > 0) {
    const { ref, parts, ...own } = node;
    node = { ...own, parts };
    const next = ref === undefined ? parts[0] : follow(ref, followed, ctx, place);
    if (ref === undefined) node = { ...node, parts: parts.slice(1) };
    if (next === false) return undefined;
    if (next === undefined || next === true) continue;
    node = intersect(node, read(next, ctx), (key, value) => lose(ctx, place, key, value, say(key, value)));
  }
  return node;
}

function read(schema: AnySchema, ctx: Context): Node {
  if (typeof schema === "boolean") return readNode({});
  const node = readNode(schema);
  return ctx.legacy && node.ref !== undefined ? { ...readNode({ $ref: node.ref }), notes: node.notes } : node;
}

function follow(ref: string, followed: Set<string>, ctx: Context, place: Place): AnySchema | undefined {
  if (followed.has(ref)) return undefined;
  followed.add(ref);
  const target = ctx.refs.resolve(ref);
  if (target === undefined) lose(ctx, place, "$ref", ref, `Described by ${ref}.`);
  return target;
}
