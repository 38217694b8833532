import type { ProviderRules } from "./rules.js";
import type { Part } from "../contract/schema.js";

/** The part, or null. */
export function orNull(part: Part, rules: ProviderRules): Part {
  const { schema, back } = part;
  return {
    schema: rules.nulls.is === "flag" ? flagged(schema) : typed(schema, rules.typeLists.is),
    back: back && ((value) => (value === null ? null : back(value))),
  };
}

function flagged(schema: Record<string, unknown>): Record<string, unknown> {
  const branches = schema["anyOf"];
  if (!Array.isArray(branches)) return { ...schema, nullable: true };
  return { ...schema, anyOf: branches.map((each) => ({ ...each, nullable: true })) };
}

function typed(schema: Record<string, unknown>, lists: boolean): Record<string, unknown> {
  if (Object.keys(schema).every((key) => key === "description")) return schema;
  const { type, anyOf, description, ...rest } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (lists && typeof type === "string") {
    const choices = rest["enum"];
    return { ...schema, type: [type, "null"], ...(Array.isArray(choices) && { enum: [...choices, null] }) };
  }
  if (lists && Array.isArray(type))
    return type.includes("null") ? schema : { ...schema, type: [...type, "null"] };
  const inner = type === undefined ? rest : { type, ...rest };
  return { ...(description !== undefined && { description }), anyOf: [inner, { type: "null" }] };
}
