import { children, isObject } from "./children.js";

/** What OpenAI's API says of a function's parameters; undefined when it takes them. */
export function openaiRefuses(name: string, parameters: unknown, strict: boolean): string | undefined {
  const say = (text: string) => `Invalid schema for function '${name}': ${text}`;
  if (!isObject(parameters) || parameters["type"] !== "object") {
    return say("schema must be a JSON Schema of 'type: \"object\"', got something else.");
  }
  if (["oneOf", "anyOf", "allOf", "enum", "not"].some((word) => word in parameters)) {
    return say(
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    );
  }
  if (!isObject(parameters["properties"])) return say("object schema missing properties.");
  const problem = walk(parameters, [], strict);
  return problem === undefined ? undefined : say(problem);
}

const strictWords = new Set(
  "type properties required additionalProperties items anyOf enum const description title $ref $defs pattern format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum minItems maxItems".split(
    " ",
  ),
);
const strictFormats = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));

function walk(schema: Record<string, unknown>, path: readonly string[], strict: boolean): string | undefined {
  const here = `In context=(${path.map((each) => `'${each}'`).join(", ")}), `;
  const types = new Set([schema["type"]].flat());
  if (types.has("array") && !("items" in schema)) return `${here}array schema missing items.`;
  if (strict) {
    const odd = Object.keys(schema).find((key) => !strictWords.has(key));
    if (odd !== undefined) return `${here}'${odd}' is not permitted.`;
    if ("$ref" in schema && Object.keys(schema).length > 1 && path.length > 0)
      return `${here}$ref cannot have keywords.`;
    if (!("type" in schema || "anyOf" in schema || "$ref" in schema))
      return `${here}schema must have a 'type' key.`;
    if ("format" in schema && !strictFormats.has(schema["format"] as string))
      return `${here}format is not supported.`;
    if (types.has("object")) {
      if (schema["additionalProperties"] !== false) {
        return `${here}'additionalProperties' is required to be supplied and to be false.`;
      }
      const names = Object.keys((schema["properties"] as object) ?? {});
      const required = (schema["required"] as string[] | undefined) ?? [];
      const missing = names.find((each) => !required.includes(each));
      if (missing !== undefined)
        return `${here}'required' is required to include every key. Missing '${missing}'.`;
      if (path.filter((each) => each === "properties").length > 10) return `${here}nested too deep`;
    }
  }
  for (const [step, child] of children(schema)) {
    const problem = walk(child, [...path, ...step], strict);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
