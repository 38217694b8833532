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
    filledFields.has(field) ? atHome(field, fill(value, field), values) : value,
  ]);
  return {
    fields: Object.fromEntries(entries) as Fields,
    secrets: [...secrets],
    variables: [...variables].toSorted(),
  };
}

/** Fields that hold paths; of `args` each text, of `tls` each file. */
const pathFields = new Set(["command", "args", "cwd", "tls"]);

/** There is no shell that would fill in `~`: at the beginning of a path it is the home folder of the user. */
function atHome(field: string, value: unknown, { env }: PlaceholderValues): unknown {
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home === undefined || !pathFields.has(field)) return value;
  const expand = (each: unknown): unknown =>
    typeof each === "string" && /^~(?=[\\/]|$)/.test(each) ? home + each.slice(1) : each;
  if (Array.isArray(value)) return value.map(expand);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each)]))
    : expand(value);
}
