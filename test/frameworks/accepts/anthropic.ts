import { children, isObject } from "./children.js";

/** What Anthropic's API says of a tool's input_schema; undefined when it takes it. */
export function anthropicRefuses(at: number, schema: unknown, strict: boolean): string | undefined {
  const where = `tools.${at}.custom.input_schema`;
  if (!isObject(schema) || schema["type"] !== "object") return `${where}.type: Input should be 'object'`;
  if (["oneOf", "allOf", "anyOf"].some((word) => word in schema)) {
    return `${where}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
  const keys = Object.keys((schema["properties"] as object) ?? {});
  if (keys.some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))) {
    return `${where}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
  }
  return walk(schema, where, strict);
}

const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const banned =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems prefixItems oneOf not if then else patternProperties propertyNames".split(
    " ",
  );

function walk(schema: Record<string, unknown>, where: string, strict: boolean): string | undefined {
  const invalid = `${where}: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
  for (const type of [schema["type"]].flat())
    if (type !== undefined && !types.has(type as string)) return invalid;
  if (Array.isArray(schema["items"]) || typeof schema["exclusiveMinimum"] === "boolean") return invalid;
  if ("enum" in schema && !Array.isArray(schema["enum"])) return invalid;
  if (strict) {
    const odd = banned.find((word) => word in schema);
    if (odd !== undefined)
      return `${where}: For '${String(schema["type"])}' type, property '${odd}' is not supported`;
    if ([schema["type"]].flat().includes("object") && schema["additionalProperties"] !== false) {
      return `${where}: For 'object' type, 'additionalProperties' must be explicitly set to false`;
    }
    if (Number(schema["minItems"] ?? 0) > 1)
      return `${where}: 'minItems' values other than 0 or 1 are not supported`;
    if ("$ref" in schema) return `${where}: recursive schemas are not supported`;
  }
  for (const [, child] of children(schema)) {
    const problem = walk(child, where, strict);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
