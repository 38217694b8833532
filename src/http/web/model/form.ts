/** One input of a form made from a JSON Schema; `json` takes what has no simpler shape. */
export interface Field {
  readonly name: string;
  readonly kind: "text" | "long-text" | "number" | "integer" | "boolean" | "choice" | "lines" | "json";
  readonly required: boolean;
  readonly description: string;
  readonly choices: readonly string[];
  readonly initial: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** The fields of an object schema, in its order, required ones first. Never throws, whatever a server sends. */
export function fieldsOf(schema: Schema): Field[] {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (Object.keys(properties).length === 0) return schema["additionalProperties"] === false ? [] : [whole];
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isSchema(property) ? property : {}, required.includes(name)),
  );
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** A schema that names no properties takes anything: the arguments are written as JSON. */
const whole: Field = {
  name: "",
  kind: "json",
  required: false,
  description: "arguments as a JSON object",
  choices: [],
  initial: "",
};

function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const choices = Array.isArray(schema["enum"]) ? schema["enum"].map(textOf) : [];
  const { default: preset, description } = schema;
  return {
    name,
    kind: kindOf(schema, name, choices),
    required,
    description: typeof description === "string" ? description : "",
    choices,
    initial: preset === undefined ? "" : textOf(preset),
  };
}

function kindOf(schema: Schema, name: string, choices: readonly string[]): Field["kind"] {
  if (choices.length > 0) return "choice";
  const { type, items } = schema;
  if (type === "string") return /text|content|body|message|prompt|query/i.test(name) ? "long-text" : "text";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (type === "array" && isSchema(items) && items["type"] === "string") return "lines";
  return "json";
}

/** The arguments that these inputs stand for, or a sentence for each field that is wrong. */
export function argumentsOf(
  schema: Schema,
  values: ReadonlyMap<string, string>,
): { ok: true; value: Record<string, unknown> } | { ok: false; wrong: ReadonlyMap<string, string> } {
  const wrong = new Map<string, string>();
  const entries: [string, unknown][] = [];
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  for (const field of fieldsOf(schema)) {
    const text = values.get(field.name) ?? field.initial;
    if (text === "" && !field.required) continue;
    const parsed = valueOf(field, text, properties[field.name]);
    if ("wrong" in parsed) wrong.set(field.name, parsed.wrong);
    else if (field === whole) return wholeOf(parsed.value);
    else entries.push([field.name, parsed.value]);
  }
  return wrong.size > 0 ? { ok: false, wrong } : { ok: true, value: Object.fromEntries(entries) };
}

function wholeOf(value: unknown): ReturnType<typeof argumentsOf> {
  if (isSchema(value)) return { ok: true, value };
  return { ok: false, wrong: new Map([[whole.name, "must be a JSON object"]]) };
}

function valueOf(field: Field, text: string, schema: unknown): { value: unknown } | { wrong: string } {
  switch (field.kind) {
    case "text":
    case "long-text":
      return { value: text };
    case "boolean":
      return { value: text === "true" };
    case "lines":
      return { value: text.split("\n").filter((line) => line !== "") };
    case "number":
    case "integer":
      return numberOf(text, field.kind);
    case "choice":
      return choiceOf(text, field, schema);
    case "json":
      return jsonOf(text);
  }
}

function numberOf(text: string, kind: "number" | "integer"): { value: number } | { wrong: string } {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return { wrong: "must be a number" };
  return kind === "integer" && !Number.isInteger(value) ? { wrong: "must be a whole number" } : { value };
}

function choiceOf(text: string, field: Field, schema: unknown): { value: unknown } | { wrong: string } {
  const at = field.choices.indexOf(text);
  if (at < 0) return { wrong: "choose one" };
  const raw = isSchema(schema) && Array.isArray(schema["enum"]) ? (schema["enum"][at] as unknown) : text;
  return { value: raw };
}

function jsonOf(text: string): { value: unknown } | { wrong: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { wrong: "must be JSON" };
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
