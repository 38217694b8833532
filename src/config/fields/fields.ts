import type { ConfigProblem } from "../../errors.js";
import { parseDuration } from "./duration.js";
import { nearest } from "./nearest.js";

/** Where problems of one entry are collected, and under which path its fields are told. */
export interface FieldContext {
  readonly server: string;
  /** Path of the entry in its file, such as `mcpServers.github`; empty for inline servers. */
  readonly path: string;
  readonly file?: string;
  readonly problems: ConfigProblem[];
  /** What the file calls a field, where that is not our name for it. */
  readonly written?: Map<string, string>;
}

/** The raw fields of an entry, as parsed and not yet trusted. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells that something about a field is wrong; an `error` makes its entry invalid. */
export function tell(
  context: FieldContext,
  field: string,
  message: string,
  options: { hint?: string | undefined; severity?: "error" | "warning" } = {},
): undefined {
  const [first = "", ...inner] = field.split(".");
  const written = [context.written?.get(first) ?? first, ...inner].join(".");
  const path = [context.path, written].filter((each) => each !== "").join(".");
  context.problems.push({
    severity: options.severity ?? "error",
    message,
    server: context.server,
    ...(path === "" ? {} : { path }),
    ...(context.file === undefined ? {} : { file: context.file }),
    ...(options.hint === undefined ? {} : { hint: options.hint }),
  });
}

/** A text without NUL; undefined when absent or wrong (which is told). */
export function text(context: FieldContext, fields: Fields, field: string): string | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  if (typeof value !== "string") return tell(context, field, `must be a text, not ${kindOf(value)}`);
  if (value.includes("\0")) return tell(context, field, "must not hold the character NUL");
  return value;
}

/** True or false, nothing like it. */
export function flag(context: FieldContext, fields: Fields, field: string): boolean | undefined {
  const value = own(fields, field);
  if (value === undefined || typeof value === "boolean") return value;
  return tell(context, field, `must be true or false, not ${kindOf(value)}`);
}

/** One of a few words, with "did you mean". */
export function choice<T extends string>(
  context: FieldContext,
  fields: Fields,
  field: string,
  choices: readonly T[],
): T | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  const found = choices.find((each) => each === value);
  if (found !== undefined) return found;
  const near = typeof value === "string" ? nearest(value, choices) : undefined;
  const listed = choices.map((each) => `"${each}"`).join(", ");
  const hint = near === undefined ? undefined : `did you mean "${near}"?`;
  return tell(context, field, `must be one of ${listed}`, { hint });
}

/** A list of texts. */
export function texts(context: FieldContext, fields: Fields, field: string): readonly string[] | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return tell(context, field, `must be a list of texts, not ${kindOf(value)}`);
  const wrong = value.findIndex((each) => typeof each !== "string" || each.includes("\0"));
  if (wrong < 0) return value as string[];
  const found = kindOf(value[wrong]);
  const hint = found === "a number" ? "put it in quotes" : undefined;
  return tell(context, `${field}.${wrong}`, `must be a text, not ${found}`, { hint });
}

/** A map of texts; numbers and booleans become text, null, lists and objects are refused. */
export function textMap(
  context: FieldContext,
  fields: Fields,
  field: string,
): Readonly<Record<string, string>> | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  if (!isRecord(value)) return tell(context, field, `must be an object of texts, not ${kindOf(value)}`);
  const result: [string, string][] = [];
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "string" || typeof each === "number" || typeof each === "boolean") {
      result.push([name, String(each)]);
    } else tell(context, `${field}.${name}`, `must be a text, not ${kindOf(each)}`);
  }
  return Object.fromEntries(result);
}

/** An object of fields. */
export function group(context: FieldContext, fields: Fields, field: string): Fields | undefined {
  const value = own(fields, field);
  if (value === undefined || isRecord(value)) return value;
  return tell(context, field, `must be an object, not ${kindOf(value)}`);
}

/** A duration in milliseconds between two bounds; plain numbers count in `numbersAre`. */
export function duration(
  context: FieldContext,
  fields: Fields,
  field: string,
  options: { numbersAre: "ms" | "s"; atLeastMs: number; atMostMs?: number },
): number | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  const reading = parseDuration(value, options.numbersAre);
  // Some programs that write files of this shape count in seconds; a wait under a second is hardly ever meant.
  if (options.numbersAre === "ms" && typeof value === "number" && value > 0 && value < 1000) {
    tell(context, field, `is a number and counts in milliseconds: ${value} ms`, {
      severity: "warning",
      hint: `write "${value}s" for seconds, or "${value}ms" if that is meant`,
    });
  }
  if (!reading.ok) return tell(context, field, reading.problem);
  if (reading.ms < options.atLeastMs) return tell(context, field, `must be at least ${options.atLeastMs} ms`);
  if (options.atMostMs !== undefined && reading.ms > options.atMostMs) {
    return tell(context, field, `must be at most ${options.atMostMs / 1000} s`);
  }
  return reading.ms;
}

/** Notes each field that nobody knows; it is kept in the file and does nothing. */
export function noteUnknown(
  context: FieldContext,
  fields: Fields,
  known: readonly string[],
  prefix = "",
): void {
  for (const field of Object.keys(fields)) {
    if (known.includes(field) || field.startsWith("x-") || field.startsWith("$")) continue;
    const near = nearest(field, known);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    tell(context, prefix + field, "is not an option of mcpvisor; it is kept and does nothing", {
      severity: "warning",
      hint,
    });
  }
}

/** Whether a parsed value is an object of fields: no list, not null. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value is, in words for the user; never the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

function own(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}
