import type { Part } from "../contract/schema.js";

/** A value that the provider's schema cannot describe, written by the model as text. Text that is no JSON is itself. */
export function jsonText(hint = "Any JSON value"): Part {
  return { schema: { type: "string", description: `${hint}, written as JSON text.` }, back: parseText };
}

function parseText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The only value that fits, where the provider has no words for it. */
export function only(value: unknown): Part {
  const text = JSON.stringify(value);
  return {
    schema: { type: "string", enum: [text] },
    back: (each) => (each === text ? structuredClone(value) : each),
  };
}
