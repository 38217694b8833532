/** A draft as the validator names it. */
export type Dialect = "4" | "7" | "2019-09" | "2020-12";

/**
 * The dialect that `$schema` names; absent means 2020-12 (MCP 2025-11-25, Tools), draft-06 is read as draft-07.
 * Nothing for one that is not known.
 */
export function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return "2020-12";
  if (typeof $schema !== "string") return undefined;
  return dialects.get($schema.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft-04/schema", "4"],
  ["json-schema.org/draft-06/schema", "7"],
  ["json-schema.org/draft-07/schema", "7"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
]);
