import type { RawTool, ToolAnnotations } from "../protocol/mcp.js";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A tool whose fields have the types that the protocol says; the same object when they had already. Each repair is told
 * in `warnings`: a missing or unusable inputSchema becomes an open object, broken parts of it are left out, fields and
 * hints of a wrong type count as not given.
 */
export function repairTool(tool: RawTool, warnings: string[]): RawTool {
  return isSound(tool) ? tool : repaired(tool, warnings);
}

/** True for most tools of most servers, and quick; what it is not sure of is looked at again. */
function isSound({ inputSchema, outputSchema, title, description, annotations }: RawTool): boolean {
  return (
    annotations === undefined &&
    isObject(inputSchema) &&
    inputSchema["type"] === "object" &&
    (inputSchema["properties"] === undefined || isObject(inputSchema["properties"])) &&
    isNames(inputSchema["required"]) &&
    (outputSchema === undefined || isObject(outputSchema)) &&
    (title === undefined || typeof title === "string") &&
    (description === undefined || typeof description === "string")
  );
}

function repaired(tool: RawTool, warnings: string[]): RawTool {
  const changes: Record<string, unknown> = {};
  const tell = (what: string): void => {
    warnings.push(`tool ${JSON.stringify(tool.name.slice(0, 128))}: ${what}`);
  };
  const inputSchema = repairInput(tool.inputSchema, tell);
  if (inputSchema !== tool.inputSchema) changes["inputSchema"] = inputSchema;
  if (tool.outputSchema !== undefined && !isObject(tool.outputSchema)) {
    tell("its outputSchema is no object and is left out");
    changes["outputSchema"] = undefined;
  }
  for (const field of ["title", "description"] as const) {
    if (tool[field] === undefined || typeof tool[field] === "string") continue;
    tell(`its ${field} is no text and is left out`);
    changes[field] = undefined;
  }
  const annotations = repairAnnotations(tool.annotations, tell);
  if (annotations !== tool.annotations) changes["annotations"] = annotations;
  return Object.keys(changes).length === 0 ? tool : apply(tool, changes);
}

function repairInput(schema: unknown, tell: (what: string) => void): JsonObject {
  if (!isObject(schema)) {
    tell(`its inputSchema is ${schema === undefined ? "missing" : "no object"}; any arguments are passed on`);
    return { type: "object" };
  }
  const changes: Record<string, unknown> = {};
  if (schema["type"] === undefined) {
    tell('its inputSchema has no type; "object" is added');
    changes["type"] = "object";
  } else if (schema["type"] !== "object") {
    tell("its inputSchema does not describe an object; any arguments are passed on");
    return { type: "object" };
  }
  const { required, properties } = schema;
  if (!isNames(required)) {
    tell("its inputSchema has a `required` that is no list of names; it is left out");
    changes["required"] = undefined;
  }
  if (properties !== undefined && !isObject(properties)) {
    tell("its inputSchema has `properties` that are no object; they are left out");
    changes["properties"] = undefined;
  }
  return Object.keys(changes).length === 0 ? schema : apply<JsonObject>(schema, changes);
}

function isNames(required: unknown): boolean {
  return required === undefined || (Array.isArray(required) && required.every(isText));
}

const isText = (each: unknown): boolean => typeof each === "string";

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

function repairAnnotations(annotations: unknown, tell: (what: string) => void): ToolAnnotations | undefined {
  if (annotations === undefined) return undefined;
  if (!isObject(annotations)) {
    tell("its annotations are no object and count as not given");
    return undefined;
  }
  const odd = hints.filter((hint) => !["undefined", "boolean"].includes(typeof annotations[hint]));
  if (!["undefined", "string"].includes(typeof annotations["title"])) odd.push("title");
  if (odd.length === 0) return annotations;
  tell(`its annotations have ${odd.join(", ")} of a wrong type; they count as not given`);
  return apply(annotations, Object.fromEntries(odd.map((hint) => [hint, undefined]))) as ToolAnnotations;
}

/** A copy with the changes; what is undefined in them is left out. */
function apply<T extends object>(value: T, changes: Readonly<Record<string, unknown>>): T {
  const entries = Object.entries({ ...value, ...changes }).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries) as T;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
