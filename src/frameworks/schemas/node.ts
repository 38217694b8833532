import type { AnySchema, JsonSchema } from "../contract/schema.js";

export type TypeName = "null" | "boolean" | "object" | "array" | "number" | "integer" | "string";

const typeNames: ReadonlySet<string> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
]);

/** A schema of any draft in one form: `$ref` and `allOf` still to be merged, everything else in words of 2020-12. */
export interface Node {
  types?: ReadonlySet<TypeName>;
  choices?: readonly unknown[];
  properties: ReadonlyMap<string, AnySchema>;
  required: ReadonlySet<string>;
  patterns: readonly (readonly [string, AnySchema])[];
  /** Of keys that no property and no pattern names. */
  rest?: AnySchema;
  /** Whether keys that only branches know are to be refused (`unevaluatedProperties: false`). */
  sealed: boolean;
  prefix?: readonly AnySchema[];
  items?: AnySchema;
  /** Each is one choice: any (or exactly one) of its branches. */
  unions: readonly { readonly branches: readonly AnySchema[]; readonly exclusive: boolean }[];
  parts: readonly AnySchema[];
  ref?: string;
  /** Keywords that limit a value by a number, a text or a flag. */
  limits: Readonly<Record<string, unknown>>;
  /** Keywords that no provider takes as they are. */
  odd: readonly (readonly [string, unknown])[];
  notes: Readonly<Record<string, unknown>>;
  /** The schemas that were merged, as written: a value fits the node when it fits each. */
  origins: readonly JsonSchema[];
}

const limitNames = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
]);
const oddNames = new Set([
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "propertyNames",
  "contains",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
]);
const noteNames = ["title", "description", "default", "examples"];

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === "boolean" || isObject(value);
}

/** Reads one schema object; what is malformed counts as not said. */
export function readNode(schema: JsonSchema): Node {
  const ref = ["$ref", "$dynamicRef", "$recursiveRef"].map((name) => schema[name]).find(isText);
  const node: Node = {
    properties: new Map(entriesOf(schema["properties"])),
    required: new Set(textsOf(schema["required"])),
    patterns: entriesOf(schema["patternProperties"]),
    sealed: schema["unevaluatedProperties"] === false,
    unions: [unionOf(schema["anyOf"], false), unionOf(schema["oneOf"], true)].filter(
      (each) => each !== undefined,
    ),
    parts: schemasOf(schema["allOf"]) ?? [],
    limits: readLimits(schema),
    odd: Object.entries(schema).filter(
      ([name, value]) =>
        oddNames.has(name) && value !== undefined && !(name === "unevaluatedProperties" && value === false),
    ),
    notes: Object.fromEntries(noteNames.filter((name) => name in schema).map((name) => [name, schema[name]])),
    origins: [schema],
  };
  const types = readTypes(schema["type"], schema["nullable"] === true);
  if (types !== undefined) node.types = types;
  if ("const" in schema) node.choices = [schema["const"]];
  else if (Array.isArray(schema["enum"])) node.choices = schema["enum"];
  if (isSchema(schema["additionalProperties"])) node.rest = schema["additionalProperties"];
  readItems(schema, node);
  if (ref !== undefined) node.ref = ref;
  return node;
}

function readTypes(type: unknown, nullable: boolean): ReadonlySet<TypeName> | undefined {
  const named = (Array.isArray(type) ? type : [type]).filter(
    (each): each is TypeName => typeof each === "string" && typeNames.has(each),
  );
  if (named.length === 0) return undefined;
  return new Set(nullable ? [...named, "null" as const] : named);
}

function readItems(schema: JsonSchema, node: Node): void {
  const { items } = schema;
  const prefix = schemasOf(schema["prefixItems"]) ?? (Array.isArray(items) ? schemasOf(items) : undefined);
  if (prefix !== undefined && prefix.length > 0) node.prefix = prefix;
  const rest = Array.isArray(items) ? schema["additionalItems"] : items;
  if (isSchema(rest)) node.items = rest;
}

function readLimits(schema: JsonSchema): Record<string, unknown> {
  const limits: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (limitNames.has(name) && (typeof value === "number" || isText(value) || value === true))
      limits[name] = value;
  }
  // Draft 4 says `exclusiveMinimum: true` beside `minimum`.
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (limits[flag] !== true) continue;
    delete limits[flag];
    if (bound in limits) {
      limits[flag] = limits[bound];
      delete limits[bound];
    }
  }
  return limits;
}

function unionOf(value: unknown, exclusive: boolean): Node["unions"][number] | undefined {
  const branches = schemasOf(value);
  return branches === undefined || branches.length === 0 ? undefined : { branches, exclusive };
}

function schemasOf(value: unknown): AnySchema[] | undefined {
  return Array.isArray(value) ? value.filter(isSchema) : undefined;
}

function entriesOf(value: unknown): [string, AnySchema][] {
  return isObject(value)
    ? Object.entries(value).filter((each): each is [string, AnySchema] => isSchema(each[1]))
    : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
