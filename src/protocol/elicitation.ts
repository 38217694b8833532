import { isRecord } from "./serverInfo.js";

/**
 * The content of an accepted form: fields that were left out get the default of their schema (SEP-1034). Fields that a
 * person filled stay as they are, `null` and empty text included.
 */
export function withDefaults(
  schema: unknown,
  content: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const filled: Record<string, unknown> = { ...content };
  for (const [name, field] of Object.entries(properties)) {
    if (Object.hasOwn(filled, name) && filled[name] !== undefined) continue;
    if (isRecord(field) && field["default"] !== undefined) filled[name] = field["default"];
  }
  return filled;
}
