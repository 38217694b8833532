import type { dereference, OutputUnit, validate } from "@cfworker/json-schema";
import { dialectOf } from "./dialect.js";
import { guardSchema, OverBudget } from "./schemaGuard.js";

/** What a check of structured content says. `reasons` name paths and keywords, at most a few. */
export interface OutputVerdict {
  readonly kind: "fits" | "mismatch" | "unchecked";
  readonly reasons: readonly string[];
}

/** A compiled outputSchema, as an entry keeps it. Never rejects. */
export type OutputCheck = (structured: unknown) => OutputVerdict;

interface Checked {
  readonly tool: { readonly outputSchema?: Readonly<Record<string, unknown>> };
  output?: OutputCheck;
}

const fits: OutputVerdict = { kind: "fits", reasons: [] };
const mostReasons = 5;

/**
 * Checks structured content against the tool's outputSchema; asynchronous only until the validator is loaded. Compiled
 * at a tool's first checked result and kept on its entry. What cannot be checked (unknown dialect, a `$ref` that leads
 * nowhere or elsewhere, a schema that costs too much) is `unchecked` with the reason; nothing is ever fetched.
 */
export function checkOutput(entry: Checked, structured: unknown): OutputVerdict | Promise<OutputVerdict> {
  const schema = entry.tool.outputSchema;
  if (schema === undefined) return fits;
  if (entry.output !== undefined) return entry.output(structured);
  if (engine !== undefined) return (entry.output = compile(schema, engine))(structured);
  return load().then((loaded) => (entry.output ??= compile(schema, loaded))(structured));
}

interface Engine {
  readonly validate: typeof validate;
  readonly dereference: typeof dereference;
}

let engine: Engine | undefined;

async function load(): Promise<Engine> {
  // On first use: most calls never need it, and starting up must stay quick.
  const { validate, dereference } = await import("@cfworker/json-schema");
  return (engine = { validate, dereference });
}

function compile(schema: Readonly<Record<string, unknown>>, { validate, dereference }: Engine): OutputCheck {
  const dialect = dialectOf(schema["$schema"]);
  if (dialect === undefined) {
    return always(`outputSchema names a dialect that is not known (${quote(schema["$schema"])})`);
  }
  const guarded = guardSchema(schema, dereference);
  if (guarded.kind === "refused") return always(guarded.reason);
  return (structured) => {
    try {
      guarded.begin(structured);
      const { valid, errors } = validate(structured, guarded.schema, dialect, guarded.lookup, false);
      return valid ? fits : { kind: "mismatch", reasons: explain(errors) };
    } catch (error) {
      return unchecked(error instanceof OverBudget ? error.message : "outputSchema cannot be evaluated");
    }
  };
}

function explain(errors: readonly OutputUnit[]): string[] {
  // The innermost errors say what is wrong; those above only say that something below is.
  const leaves = errors.filter((each) => !summaries.has(each.keyword));
  const lines = (leaves.length > 0 ? leaves : errors).map(
    (each) => `${each.instanceLocation.replace(/^#\/?/, "/")}: ${textOf(each)}`,
  );
  const distinct = [...new Set(lines)];
  const more = distinct.length - mostReasons;
  return more > 0 ? [...distinct.slice(0, mostReasons), `and ${more} more`] : distinct;
}

function textOf(each: OutputUnit): string {
  // `false` as a schema, as the guarded copy writes it.
  return /(?:Properties|[iI]tems)\/not$/.test(each.keywordLocation)
    ? "is not allowed"
    : each.error.slice(0, 200);
}

const summaries = new Set([
  "$ref",
  "$recursiveRef",
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "anyOf",
  "allOf",
  "oneOf",
  "if",
  "dependentSchemas",
  "additionalProperties",
]);

function always(reason: string): OutputCheck {
  const verdict = unchecked(reason);
  return () => verdict;
}

function unchecked(reason: string): OutputVerdict {
  return { kind: "unchecked", reasons: [`${reason}; the result was not checked`] };
}

function quote(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 100);
}
