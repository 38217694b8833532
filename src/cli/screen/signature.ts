import type { ToolDescriptor } from "../../index.js";
import { visible } from "./visible.js";

type Schema = Readonly<Record<string, unknown>>;

/** A tool as a function: its text, its arguments with types and texts, and a call to begin with. */
export function signature(tool: ToolDescriptor): string[] {
  const { properties, required } = argumentsOf(tool.inputSchema);
  const words = properties.map(([name, schema]) => parameter(name, schema, required.has(name)));
  const short = `${visible(tool.server)}.${visible(tool.tool)}`;
  const oneLine = `${short}(${words.map(({ text }) => text).join(", ")})`;
  const documented = words.some(({ about }) => about !== "");
  return [
    ...(oneLine.length <= 78 && !documented
      ? [oneLine]
      : [
          `${short}(`,
          ...words.map(({ text, about }) => `  ${text},${about === "" ? "" : `  // ${about}`}`),
          ")",
        ]),
    "",
    ...lines(tool.description.replace(/^\[MCP [^\]]*\] /, "")),
    "",
    `now: ${tool.permission}; definition: ${tool.pin}; public name: ${visible(tool.name)}`,
    `example: ${exampleOf(tool)}`,
  ];
}

/** A call of a tool with every required argument, as it is typed. */
export function exampleOf(tool: ToolDescriptor): string {
  const { properties, required } = argumentsOf(tool.inputSchema);
  const given = properties
    .filter(([name]) => required.has(name))
    .map(([name, schema]) => example(name, schema));
  return ["mcpvisor call", `${visible(tool.server)}.${visible(tool.tool)}`, ...given].join(" ");
}

function argumentsOf(schema: Schema): {
  properties: (readonly [string, Schema])[];
  required: ReadonlySet<unknown>;
} {
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
  const properties = Object.entries(record(schema["properties"])).map(
    ([name, each]) => [name, record(each)] as const,
  );
  return {
    properties: properties.toSorted(([a], [b]) => Number(required.has(b)) - Number(required.has(a))),
    required,
  };
}

function parameter(name: string, schema: Schema, isRequired: boolean): { text: string; about: string } {
  const fallback = schema["default"] === undefined ? "" : ` = ${JSON.stringify(schema["default"])}`;
  const about = typeof schema["description"] === "string" ? schema["description"].split("\n")[0]! : "";
  return {
    text: visible(`${name}${isRequired ? "" : "?"}: ${typeOf(schema)}${fallback}`),
    about: visible(about),
  };
}

/** A JSON Schema as a type, as far as one line can say it. */
export function typeOf(schema: Schema, depth = 0): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((each) => JSON.stringify(each)).join(" | ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  const either = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(either)) return either.map((each) => typeOf(record(each), depth)).join(" | ");
  const { type } = schema as { type?: unknown };
  if (Array.isArray(type))
    return type.map((each) => typeOf({ ...schema, type: each as unknown }, depth)).join(" | ");
  if (type === "integer") return "integer";
  if (type === "array") {
    const inner = typeOf(record(schema["items"]), depth + 1);
    return inner.includes(" ") ? `(${inner})[]` : `${inner}[]`;
  }
  if (type === "object" || schema["properties"] !== undefined) {
    const { properties, required } = argumentsOf(schema);
    if (properties.length === 0 || depth > 2) return "object";
    return `{ ${properties.map(([name, each]) => `${name}${required.has(name) ? "" : "?"}: ${typeOf(each, depth + 1)}`).join("; ")} }`;
  }
  return typeof type === "string" ? type : "any";
}

function example(name: string, schema: Schema): string {
  const [first] = Array.isArray(schema["enum"]) ? (schema["enum"] as unknown[]) : [];
  const type = schema["type"];
  if (typeof first === "string") return `${name}=${first}`;
  if (type === "string" || type === undefined) return `${name}=…`;
  if (type === "number" || type === "integer") return `${name}=1`;
  if (type === "boolean") return `${name}=true`;
  return type === "array" ? `${name}:='[]'` : `${name}:='{}'`;
}

function lines(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .map((each) => visible(each));
}

function record(value: unknown): Schema {
  return typeof value === "object" && value !== null ? (value as Schema) : {};
}
