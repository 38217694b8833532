import type { FieldContext, Fields } from "./fields.js";
import { isRecord, tell } from "./fields.js";
import type { PlaceholderValues } from "./placeholders.js";
import { fillPlaceholders } from "./placeholders.js";

/** The fields in which placeholders count. */
const filledFields = new Set(["command", "args", "cwd", "env", "url", "headers", "proxy", "tls", "oauth"]);

/** An entry with its placeholders filled in, and what came from the environment for it. */
export interface FilledEntry {
  readonly fields: Fields;
  readonly secrets: readonly string[];
  /** Sorted names of the variables that the entry reads. */
  readonly variables: readonly string[];
}

/** Fills the placeholders of an entry; a variable that is not set is told with its field and makes the entry invalid. */
export function fillEntry(context: FieldContext, fields: Fields, values: PlaceholderValues): FilledEntry {
  const secrets = new Set<string>();
  const variables = new Set<string>();
  const fill = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => fill(each, `${path}.${index}`));
    if (isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, fill(each, `${path}.${key}`)]),
      );
    }
    if (typeof value !== "string" || !value.includes("$")) return value;
    const filled = fillPlaceholders(value, values);
    if (!filled.ok) {
      tell(context, path, filled.message, { hint: filled.hint });
      return value;
    }
    for (const each of filled.secrets) secrets.add(each);
    for (const each of filled.variables) variables.add(each);
    return filled.text;
  };
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    filledFields.has(field) ? fill(value, field) : value,
  ]);
  return {
    fields: Object.fromEntries(entries) as Fields,
    secrets: [...secrets],
    variables: [...variables].toSorted(),
  };
}
