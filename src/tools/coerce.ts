/** Where a walk is: the whole schema for local references, and the place in the arguments for the notes. */
interface Place {
  readonly root: unknown;
  readonly path: string;
  readonly depth: number;
  readonly notes: string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Deeper than any honest inputSchema; ends the walk where references go in circles. */
const deepest = 64;

/**
 * The value, with text that fits only as a number, boolean, object or list replaced by that. Copies only what changes;
 * the same value comes back otherwise. Looks at types, enum, properties, items, unions and local `$ref`, nothing more.
 */
export function coerceValue(value: unknown, schema: unknown, place: Place): unknown {
  if (place.depth > deepest || (typeof value !== "string" && !isObject(value))) return value;
  const branches = branchesOf(schema, place.root);
  if (branches.length === 0) return value;
  if (typeof value !== "string") return coerceInside(value, branches, place);
  if (branches.some((branch) => accepts(branch, value))) return value;
  for (const branch of branches) {
    const fitting = fromText(value, branch);
    if (fitting === undefined) continue;
    const kind = Array.isArray(fitting) ? "list" : typeof fitting;
    place.notes.push(
      `argument ${place.path || "(all)"}: text was turned into a ${kind}, as inputSchema asks`,
    );
    return isObject(fitting) ? coerceInside(fitting, [branch], place) : fitting;
  }
  return value;
}

/** The usual arguments: nothing but plain values that are asked for as what they are. Says so without a walk. */
export function needsNoCoercion(fields: JsonObject, schema: JsonObject): boolean {
  const { properties } = schema;
  for (const key in fields) {
    const field = fields[key];
    const isSound = typeof field === "string" ? isText(own(properties, key)) : !isObject(field);
    if (!isSound) return false;
  }
  return true;
}

function isText(schema: unknown): boolean {
  return isObject(schema) && "type" in schema && schema.type === "string";
}

/** The plain schemas a value may fit; empty when one of them says nothing we understand: then nothing is changed. */
function branchesOf(schema: unknown, root: unknown): JsonObject[] {
  const plain = resolve(schema, root);
  if (plain === undefined) return [];
  const union = plain["anyOf"] ?? plain["oneOf"];
  if (!Array.isArray(union)) return hasType(plain) ? [plain] : [];
  const branches = union.map((each) => resolve(each, root));
  return branches.every((each) => each !== undefined && hasType(each)) ? (branches as JsonObject[]) : [];
}

function resolve(schema: unknown, root: unknown): JsonObject | undefined {
  let current = schema;
  for (let hops = 0; hops < 8 && isRecord(current); hops++) {
    const ref = current["$ref"];
    if (typeof ref !== "string") return current;
    if (!ref.startsWith("#/")) return undefined;
    current = ref
      .slice(2)
      .split("/")
      .reduce<unknown>((at, part) => own(at, part.replaceAll("~1", "/").replaceAll("~0", "~")), root);
  }
  return undefined;
}

function hasType(schema: JsonObject): boolean {
  return (
    typeof schema["type"] === "string" || Array.isArray(schema["type"]) || isRecord(schema["properties"])
  );
}

function accepts(schema: JsonObject, value: unknown): boolean {
  const { enum: choices, const: only } = schema;
  if (Array.isArray(choices) && choices.includes(value)) return true;
  return only === value || isAllowed(schema, "string");
}

function isAllowed(schema: JsonObject, type: string): boolean {
  const allowed = schema["type"];
  return allowed === type || (Array.isArray(allowed) && allowed.includes(type));
}

const integerText = /^-?(?:0|[1-9]\d*)$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function fromText(text: string, schema: JsonObject): unknown {
  const found = parse(text, schema);
  const choices = schema["enum"];
  return Array.isArray(choices) && !isObject(found) && !choices.includes(found) ? undefined : found;
}

function parse(text: string, schema: JsonObject): unknown {
  if (isAllowed(schema, "boolean") && (text === "true" || text === "false")) return text === "true";
  if (isAllowed(schema, "integer") && integerText.test(text) && Number.isSafeInteger(Number(text))) {
    return Number(text);
  }
  if (isAllowed(schema, "number") && numberText.test(text) && Number.isFinite(Number(text)))
    return Number(text);
  const first = text.trimStart().charAt(0);
  if (first === "{" && (isAllowed(schema, "object") || schema["type"] === undefined)) return json(text);
  return first === "[" && isAllowed(schema, "array") ? json(text) : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON after all: the text goes out as it is, the server answers.
    return undefined;
  }
}

function coerceInside(value: object, branches: readonly JsonObject[], place: Place): unknown {
  const type = Array.isArray(value) ? "array" : "object";
  const schema = branches.find((branch) => isAllowed(branch, type) || branch["type"] === undefined);
  if (schema === undefined) return value;
  return Array.isArray(value)
    ? coerceItems(value, schema, place)
    : coerceFields(value as JsonObject, schema, place);
}

function coerceItems(list: readonly unknown[], schema: JsonObject, place: Place): unknown {
  const { items } = schema;
  if (!isRecord(items)) return list;
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (isSettled(item, items)) continue;
    const next = coerceValue(item, items, step(place, `[${at}]`));
    if (next !== item) (copy ??= [...list])[at] = next;
  }
  return copy ?? list;
}

function coerceFields(fields: JsonObject, schema: JsonObject, place: Place): unknown {
  const { properties, additionalProperties: rest } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const key in fields) {
    const field = fields[key];
    const wanted = own(properties, key) ?? rest;
    if (!isRecord(wanted) || isSettled(field, wanted)) continue;
    if (key === "__proto__" || !Object.hasOwn(fields, key)) continue;
    const next = coerceValue(field, wanted, step(place, place.path === "" ? key : `.${key}`));
    if (next !== field) (copy ??= { ...fields })[key] = next;
  }
  return copy ?? fields;
}

/** The usual case: neither text nor a container, or text where text is asked for. */
function isSettled(value: unknown, schema: JsonObject): boolean {
  return typeof value === "string"
    ? schema["type"] === "string"
    : typeof value !== "object" || value === null;
}

function step(place: Place, part: string): Place {
  return { root: place.root, path: place.path + part, depth: place.depth + 1, notes: place.notes };
}

function own(holder: unknown, key: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, key) ? (holder as JsonObject)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}
