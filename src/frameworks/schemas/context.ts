import type { Node } from "./node.js";
import type { ProviderRules } from "./rules.js";
import type { Refs } from "./refs.js";
import type { AnySchema, Part, SchemaWarning } from "../contract/schema.js";

/** Where in the arguments a part stands, and what is to be said beside it. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  /** References that were replaced by what they mean on the way here. */
  readonly inlined: readonly string[];
  /** Sentences for the description of this part. */
  readonly notes: string[];
}

/** What the compilation of one schema shares. */
export interface Context {
  readonly rules: ProviderRules;
  readonly refs: Refs;
  /** Drafts before 2019-09: whatever stands beside `$ref` is not read. */
  readonly legacy: boolean;
  readonly definitions: Map<string, Definition>;
  readonly warnings: SchemaWarning[];
  /** How many properties were written so far, and how many schemas were compiled. */
  readonly counts: { properties: number; parts: number };
  /** Nothing when no value fits. */
  compile(schema: AnySchema, place: Place): Part | undefined;
  compileNode(node: Node, place: Place): Part | undefined;
  /** Whether a value fits what the provider was given. */
  fits(schema: Record<string, unknown>, value: unknown): boolean;
  /** Whether a value fits a schema as the server wrote it. */
  fitsOriginal(node: Node, value: unknown): boolean;
}

export interface Definition {
  readonly name: string;
  part?: Part;
}

/** The keyword goes into the description instead: the provider may let through what the tool refuses. */
export function lose(ctx: Context, place: Place, keyword: string, value: unknown, sentence: string): void {
  place.notes.push(sentence);
  ctx.warnings.push({
    path: place.path,
    keyword,
    message: `${place.path || "the arguments"}: ${keyword} is only said in the description`,
    effect: "wider",
  });
  void value;
}

/** Some arguments cannot be said any more. */
export function narrow(ctx: Context, place: Place, keyword: string, message: string): void {
  ctx.warnings.push({
    path: place.path,
    keyword,
    message: `${place.path || "the arguments"}: ${message}`,
    effect: "narrower",
  });
}

/** The place of something below. */
export function below(place: Place, step: string): Place {
  const escaped = step.replaceAll("~", "~0").replaceAll("/", "~1");
  return { path: `${place.path}/${escaped}`, depth: place.depth + 1, inlined: place.inlined, notes: [] };
}

/** The same place with sentences of its own: a branch of a union. */
export function beside(place: Place): Place {
  return { ...place, notes: [] };
}
