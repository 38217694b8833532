import { children, isObject } from "./children.js";

const openapiWords = new Set(
  "type format title description nullable enum items properties required anyOf minItems maxItems minLength maxLength minProperties maxProperties pattern minimum maximum propertyOrdering default example".split(
    " ",
  ),
);
const openapiTypes = new Set(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]);
const jsonWords = new Set(
  "$defs $ref type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required".split(
    " ",
  ),
);

/** What Gemini's API says of a declaration's `parameters`; undefined when it takes them. */
export function geminiParametersRefuses(schema: unknown): string | undefined {
  const root = "tools[0].function_declarations[0].parameters";
  if (!isObject(schema) || schema["type"] !== "OBJECT") return `${root}: schema must be of type OBJECT`;
  return openapi(schema, root);
}

function openapi(schema: Record<string, unknown>, where: string): string | undefined {
  const odd = Object.keys(schema).find((key) => !openapiWords.has(key));
  if (odd !== undefined)
    return `Invalid JSON payload received. Unknown name "${odd}" at '${where}': Cannot find field.`;
  if (!("anyOf" in schema) && !openapiTypes.has(schema["type"] as string)) {
    return `Invalid value at '${where}.type', "${String(schema["type"])}"`;
  }
  const choices = schema["enum"];
  if (choices !== undefined) {
    if (!Array.isArray(choices) || choices.some((each) => typeof each !== "string")) {
      return `Invalid value at '${where}.enum[0]' (TYPE_STRING)`;
    }
    if (schema["type"] !== "STRING") return `${where}.enum: only allowed for STRING type`;
    if (choices.some((each) => each === "")) return `${where}.enum[0]: cannot be empty`;
  }
  if ("properties" in schema && schema["type"] !== "OBJECT")
    return `${where}.properties: only allowed for OBJECT type`;
  if (
    schema["type"] === "OBJECT" &&
    where.includes(".properties[") &&
    Object.keys(Object(schema["properties"])).length === 0
  ) {
    return `${where}.properties: should be non-empty for OBJECT type`;
  }
  const known = Object.keys(Object(schema["properties"]));
  for (const name of (schema["required"] as string[] | undefined) ?? []) {
    if (!known.includes(name)) return `${where}.required[0]: property is not defined`;
  }
  if (schema["type"] === "ARRAY" && !("items" in schema)) return `${where}.items: missing field.`;
  for (const [step, child] of children(schema)) {
    const problem = openapi(child, `${where}.${step.length > 1 ? `properties[${step[1]}]` : step[0]}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What Gemini's API says of `parametersJsonSchema`. */
export function geminiJsonRefuses(schema: unknown, more: readonly string[] = []): string | undefined {
  if (!isObject(schema) || schema["type"] !== "object") return "parametersJsonSchema must describe an object";
  return json(schema, "parametersJsonSchema", more);
}

function json(schema: Record<string, unknown>, where: string, more: readonly string[]): string | undefined {
  const odd = Object.keys(schema).find((key) => !jsonWords.has(key) && !more.includes(key));
  if (odd !== undefined) return `${where}: unsupported keyword ${odd}`;
  if (!["type", "anyOf", "$ref", "enum"].some((word) => word in schema)) {
    return `${where} schema didn't specify the schema type field`;
  }
  for (const [, child] of children(schema)) {
    const problem = json(child, where, more);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
