import { lose } from "./context.js";
import type { Context, Place } from "./context.js";
import { jsonText } from "./jsonText.js";
import type { Node } from "./node.js";
import { orNull } from "./nullable.js";
import { say } from "./say.js";
import type { Part } from "../contract/schema.js";

/** A choice of values (`enum`, `const`). What the provider cannot list is listed as text and turned back. */
export function compileChoices(node: Node, place: Place, ctx: Context): Part | undefined {
  const byText = new Map<string, unknown>();
  for (const each of node.choices ?? []) {
    if (plainChoice(node) ? fitsType(node, each) : ctx.fitsOriginal(node, each))
      byText.set(JSON.stringify(each), each);
  }
  const nullable = byText.delete("null");
  const values = [...byText.values()];
  if (values.length === 0) return nullable ? ctx.compileNode(onlyNull, place) : undefined;
  const part = listed(values, place, ctx);
  return nullable ? orNull(part, ctx.rules) : part;
}

function listed(values: readonly unknown[], place: Place, ctx: Context): Part {
  const { enums, enumValues, enumChars } = ctx.rules;
  const kinds = new Set(values.map(kindOf));
  const [kind] = kinds;
  if (kinds.size === 1 && kind === "boolean" && values.length === 2) return { schema: { type: "boolean" } };
  const labels = labelled(values);
  const chars = labels.reduce((sum, [label]) => sum + label.length, 0);
  if (values.length > enumValues.is || chars > enumChars.is) {
    lose(ctx, place, "enum", values, say("enum", values));
    return kinds.size === 1 && kind !== "object" ? { schema: { type: kind } } : jsonText();
  }
  // Gemini refuses the empty text as a choice.
  const empty = values.includes("") && (enums.is === "strings" || enums.is === "numbers");
  const direct = kinds.size === 1 && kind !== undefined && direction[enums.is].has(kind) && !empty;
  if (direct && kind !== "object") return { schema: { type: kind, enum: [...values] } };
  const known = new Map(empty ? labels.map(([label, value]) => [label || "(empty text)", value]) : labels);
  return {
    schema: { type: "string", enum: [...known.keys()] },
    back: (value) => (typeof value === "string" && known.has(value) ? known.get(value) : value),
  };
}

/** Each value with a text of its own. */
function labelled(values: readonly unknown[]): [string, unknown][] {
  const taken = new Set(values.filter((each): each is string => typeof each === "string"));
  return values.map((each) => {
    if (typeof each === "string") return [each, each];
    let label = JSON.stringify(each);
    while (taken.has(label)) label = `${label} `;
    taken.add(label);
    return [label, each];
  });
}

/** Nothing but types and choices: no validator is needed. */
function plainChoice(node: Node): boolean {
  const inside = node.properties.size + node.required.size + node.patterns.length + node.unions.length;
  const limits = Object.keys(node.limits).length + node.odd.length;
  return (
    inside + limits === 0 && node.rest === undefined && node.items === undefined && node.prefix === undefined
  );
}

function fitsType(node: Node, value: unknown): boolean {
  if (node.types === undefined) return true;
  if (value === null) return node.types.has("null");
  if (Array.isArray(value)) return node.types.has("array");
  const kind = kindOf(value);
  return node.types.has(kind) || (kind === "number" && Number.isInteger(value) && node.types.has("integer"));
}

type Kind = "string" | "number" | "boolean" | "object";

function kindOf(value: unknown): Kind {
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}

const direction: Readonly<Record<"any" | "primitive" | "numbers" | "strings", ReadonlySet<Kind>>> = {
  any: new Set(["string", "number", "boolean"]),
  primitive: new Set(["string", "number", "boolean"]),
  numbers: new Set(["string", "number"]),
  strings: new Set(["string"]),
};

const onlyNull: Node = {
  types: new Set(["null"]),
  properties: new Map(),
  required: new Set(),
  patterns: [],
  sealed: false,
  unions: [],
  parts: [],
  limits: {},
  odd: [],
  notes: {},
  origins: [],
};
